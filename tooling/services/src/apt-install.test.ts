import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AptInstallOptions, createAptInstall, runAptScript } from "./apt-install.ts";

describe("createAptInstall", () => {
  const debianRoot = {
    env: { PATH: "/usr/bin" },
    isExecutable: (file: string) => file === "/usr/bin/apt-get",
    log: () => {},
    isRoot: true,
    isDebian: true,
    run: async () => ({ code: 0, output: "" }),
  } satisfies AptInstallOptions;

  it("installs as root on Debian, and says so first", async () => {
    const lines: string[] = [];
    const install = createAptInstall({ ...debianRoot, log: (line) => lines.push(line) });
    expect(await install("chromium")).toEqual({ type: "installed" });
    expect(lines).toEqual(["Installing chromium with apt-get, because it was not found on this machine."]);
  });

  it.each<[string, Partial<AptInstallOptions>, string]>([
    ["not root", { isRoot: false }, "this process is not root"],
    ["not on Debian", { isDebian: false }, "this is not Debian (no /etc/debian_version)"],
    ["without apt-get", { env: { PATH: "/opt/bin" } }, "there is no apt-get in PATH=/opt/bin"],
  ])("touches nothing when %s", async (_, options, reason) => {
    const run = () => Promise.reject(new Error("must not run"));
    const install = createAptInstall({ ...debianRoot, run, ...options });
    expect(await install("chromium")).toEqual({ type: "skipped", reason });
  });

  it("carries the end of apt-get's output when it fails", async () => {
    const output = `${Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n")}\nE: no space left\n`;
    const install = createAptInstall({ ...debianRoot, run: async () => ({ code: 100, output }) });
    const outcome = await install("chromium");
    expect(outcome).toMatchObject({ type: "failed", reason: expect.stringContaining("failed with exit code 100") });
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/E: no space left$/) });
    expect(outcome).toMatchObject({ reason: expect.not.stringContaining("line 3\n") });
  });

  it("installs one package at a time, also after one has failed", async () => {
    const events: string[] = [];
    const install = createAptInstall({
      ...debianRoot,
      run: async (aptPackage) => {
        events.push(`begin ${aptPackage}`);
        await new Promise(setImmediate);
        events.push(`end ${aptPackage}`);
        if (aptPackage === "postgresql") throw new Error("spawn sh ENOENT");
        return { code: 0, output: "" };
      },
    });
    const outcomes = await Promise.all([install("postgresql"), install("redis-server")]);
    expect(events).toEqual(["begin postgresql", "end postgresql", "begin redis-server", "end redis-server"]);
    expect(outcomes).toEqual([{ type: "failed", reason: "could not be run: spawn sh ENOENT" }, { type: "installed" }]);
  });
});

// The real script, with an apt-get that only reports what it sees and a folder in place of /.
describe("apt-install.sh", () => {
  let root: string;
  const policy = () => join(root, "usr/sbin/policy-rc.d");
  const cluster = () => join(root, "etc/postgresql-common/createcluster.d/test-services.conf");

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "apt-install-test-"));
    mkdirSync(join(root, "usr/sbin"), { recursive: true });
    mkdirSync(join(root, "bin"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function run(aptPackage: string, aptGet: string) {
    const file = join(root, "bin/apt-get");
    writeFileSync(file, `#!/bin/sh\n${aptGet}\n`);
    chmodSync(file, 0o755);
    return runAptScript(aptPackage, { PATH: `${join(root, "bin")}:${process.env.PATH}` }, root);
  }

  it("updates the package lists, then installs without questions or recommended packages", async () => {
    const { code, output } = await run("chromium", 'echo "$DEBIAN_FRONTEND: $*"');
    expect(code).toBe(0);
    expect(output.split("\n").slice(0, 2)).toEqual([
      "noninteractive: -q update",
      "noninteractive: -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 chromium",
    ]);
  });

  it("installs although the package lists could not be updated", async () => {
    const { code, output } = await run("chromium", 'case "$*" in *update*) exit 100;; *) echo installed;; esac');
    expect(code).toBe(0);
    expect(output).toContain("installed");
  });

  it("forbids services and a cluster of its own to start while it installs, and cleans up", async () => {
    const { output } = await run("postgresql", `sh '${policy()}'; echo "policy says $?"; cat '${cluster()}'`);
    expect(output).toContain("policy says 101");
    expect(output).toContain("create_main_cluster = false");
    expect(existsSync(policy())).toBe(false);
    expect(existsSync(cluster())).toBe(false);
  });

  it("cleans up and reports the exit code when the installation fails", async () => {
    const { code } = await run("postgresql", 'case "$*" in *install*) exit 100;; esac');
    expect(code).toBe(100);
    expect(existsSync(policy())).toBe(false);
    expect(existsSync(cluster())).toBe(false);
  });

  it("cleans up when it is terminated", async () => {
    const { code } = await run("postgresql", 'kill -TERM "$PPID"');
    expect(code).toBe(143);
    expect(existsSync(policy())).toBe(false);
    expect(existsSync(cluster())).toBe(false);
  });

  it("leaves a policy that was there before", async () => {
    writeFileSync(policy(), "#!/bin/sh\nexit 0\n");
    const { output } = await run("redis-server", `cat '${policy()}'`);
    expect(output).toContain("exit 0");
    expect(readFileSync(policy(), "utf8")).toBe("#!/bin/sh\nexit 0\n");
  });
});
