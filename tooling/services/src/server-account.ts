export interface ServerAccount {
  uid: number;
  gid: number;
}

const CANDIDATES = ["postgres", "nobody"];

/**
 * The account that Postgres runs under when this process is root, because Postgres refuses to run as root.
 * @param passwd text of /etc/passwd
 */
export function serverAccount(passwd: string): ServerAccount {
  const accounts = new Map(
    passwd.split("\n").map((line) => {
      const [name = "", , uid, gid] = line.split(":");
      return [name, { uid: Number(uid), gid: Number(gid) }];
    }),
  );
  for (const name of CANDIDATES) {
    const account = accounts.get(name);
    if (account && Number.isInteger(account.uid) && Number.isInteger(account.gid) && account.uid !== 0) return account;
  }
  throw new Error(
    `Postgres does not run as root, and /etc/passwd has no account named ${CANDIDATES.join(" or ")} to run it under. ` +
      "Add one (useradd --system postgres), run the tests as another user, or set POSTGRES_URL to a running server.",
  );
}
