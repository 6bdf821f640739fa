import { expect, it } from "vitest";
import { serverAccount } from "./server-account.ts";

const ROOT = "root:x:0:0:root:/root:/bin/bash";
const NOBODY = "nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin";
const POSTGRES = "postgres:x:107:115:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash";

it.each([
  ["the account postgres before nobody", [ROOT, NOBODY, POSTGRES], { uid: 107, gid: 115 }],
  ["nobody where there is no account postgres", [ROOT, NOBODY], { uid: 65534, gid: 65533 }],
  ["nobody where postgres is another name for root", ["postgres:x:0:0::/:/bin/sh", NOBODY], { uid: 65534, gid: 65533 }],
])("runs servers under %s", (_, lines, account) => {
  expect(serverAccount(`${lines.join("\n")}\n`)).toEqual(account);
});

it("says which accounts it looked for when there is none but root", () => {
  expect(() => serverAccount(`${ROOT}\n`)).toThrow("no account named postgres or nobody");
});
