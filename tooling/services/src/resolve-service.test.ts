import { describe, expect, it } from "vitest";
import { CHROMIUM } from "./chromium.ts";
import { type FakeMachineOptions, fakeMachine } from "./fake-machine.ts";
import { POSTGRES } from "./postgres.ts";
import { REDIS } from "./redis.ts";
import { type ResolvedService, resolveService, type WantedService } from "./resolve-service.ts";

const PATH = "/usr/local/bin:/usr/bin";
const works = async () => {};

interface Case {
  name: string;
  wanted: WantedService;
  machine: FakeMachineOptions;
  expected: ResolvedService;
  installed?: string[];
}

const postgres = { ...POSTGRES, check: works };
const cases: Case[] = [
  {
    name: "takes the environment's Postgres before one on the PATH",
    wanted: postgres,
    machine: { env: { PATH, POSTGRES_URL: "postgres://db/x" }, files: ["/usr/bin/initdb", "/usr/bin/postgres"] },
    expected: { type: "given", value: "postgres://db/x" },
  },
  {
    name: "takes an empty variable for one that is not set",
    wanted: postgres,
    machine: { env: { PATH, POSTGRES_URL: "" }, files: ["/usr/bin/initdb", "/usr/bin/postgres"] },
    expected: { type: "binary", file: "/usr/bin/initdb" },
  },
  {
    name: "takes Postgres on the PATH before Debian's folders",
    wanted: postgres,
    machine: {
      env: { PATH },
      files: [
        "/usr/lib/postgresql/17/bin/initdb",
        "/usr/lib/postgresql/17/bin/postgres",
        "/usr/local/bin/initdb",
        "/usr/local/bin/postgres",
      ],
    },
    expected: { type: "binary", file: "/usr/local/bin/initdb" },
  },
  {
    name: "passes by a folder that has initdb without postgres",
    wanted: postgres,
    machine: { env: { PATH }, files: ["/usr/local/bin/initdb", "/usr/bin/initdb", "/usr/bin/postgres"] },
    expected: { type: "binary", file: "/usr/bin/initdb" },
  },
  {
    name: "takes the numerically newest of Debian's Postgres folders",
    wanted: postgres,
    machine: {
      env: { PATH },
      files: ["9.6", "15", "100", "16"].flatMap((version) => [
        `/usr/lib/postgresql/${version}/bin/initdb`,
        `/usr/lib/postgresql/${version}/bin/postgres`,
      ]),
    },
    expected: { type: "binary", file: "/usr/lib/postgresql/100/bin/initdb" },
  },
  {
    name: "installs Postgres where it is missing, and finds it off the PATH",
    wanted: postgres,
    machine: {
      env: { PATH },
      installs: ["/usr/lib/postgresql/15/bin/initdb", "/usr/lib/postgresql/15/bin/postgres"],
    },
    expected: { type: "binary", file: "/usr/lib/postgresql/15/bin/initdb" },
    installed: ["postgresql"],
  },
  {
    name: "takes Redis from the PATH",
    wanted: REDIS,
    machine: { env: { PATH }, files: ["/usr/bin/redis-server"] },
    expected: { type: "binary", file: "/usr/bin/redis-server" },
  },
  {
    name: "installs Redis where it is missing",
    wanted: REDIS,
    machine: { env: { PATH }, installs: ["/usr/bin/redis-server"] },
    expected: { type: "binary", file: "/usr/bin/redis-server" },
    installed: ["redis-server"],
  },
  {
    name: "takes Chromium before Chrome, also when Chrome is earlier on the PATH",
    wanted: CHROMIUM,
    machine: { env: { PATH }, files: ["/usr/local/bin/google-chrome", "/usr/bin/chromium"] },
    expected: { type: "binary", file: "/usr/bin/chromium" },
  },
  {
    name: "makes do with Chrome",
    wanted: CHROMIUM,
    machine: { env: { PATH }, files: ["/usr/bin/google-chrome-stable"] },
    expected: { type: "binary", file: "/usr/bin/google-chrome-stable" },
  },
  {
    name: "installs Chromium where there is no browser",
    wanted: CHROMIUM,
    machine: { env: { PATH }, installs: ["/usr/bin/chromium"] },
    expected: { type: "binary", file: "/usr/bin/chromium" },
    installed: ["chromium"],
  },
];

describe("resolveService", () => {
  for (const { name, wanted, machine, expected, installed = [] } of cases) {
    it(name, async () => {
      const fake = fakeMachine(machine);
      expect(await resolveService(wanted, fake)).toEqual(expected);
      expect(fake.installed).toEqual(installed);
    });
  }

  it("names every attempt and the remedies when nothing is there", async () => {
    const machine = fakeMachine({ env: { PATH } });
    await expect(resolveService(POSTGRES, machine)).rejects.toThrow(
      [
        "Postgres was not found. Tried:",
        "- POSTGRES_URL: not set",
        "- initdb with postgres in /usr/local/bin, /usr/bin, /usr/lib/postgresql/<version>/bin: not there",
        "- apt-get install postgresql: not tried, this process is not root",
        "Install it (Debian: apt-get install postgresql; macOS: brew install postgresql@17, " +
          'and PATH="$(brew --prefix postgresql@17)/bin:$PATH"), or set POSTGRES_URL, ' +
          "for example postgres://user:password@127.0.0.1:5432/database.",
      ].join("\n"),
    );
  });

  it("says so when a package was installed and the program is still missing", async () => {
    const machine = fakeMachine({ env: { PATH }, installs: [] });
    await expect(resolveService(REDIS, machine)).rejects.toThrow(
      "- apt-get install redis-server: done, but redis-server in /usr/local/bin, /usr/bin: still not there",
    );
  });

  it("carries apt-get's own words when the installation fails", async () => {
    const install = async () => ({ type: "failed", reason: "failed with exit code 100:\n  E: no network" }) as const;
    await expect(resolveService(CHROMIUM, { ...fakeMachine({ env: { PATH } }), install })).rejects.toThrow(
      "- apt-get install chromium: failed with exit code 100:\n  E: no network",
    );
  });

  it("does not look further when the variable names a server that does not answer, and hides its password", async () => {
    const check = async () => {
      throw new AggregateError([new Error("connect ECONNREFUSED ::1:5432"), new Error("connect ECONNREFUSED")]);
    };
    const machine = fakeMachine({
      env: { PATH, POSTGRES_URL: "postgres://ann:s3cret@localhost/app" },
      files: ["/usr/bin/initdb", "/usr/bin/postgres"],
    });
    const failure = await resolveService({ ...POSTGRES, check }, machine).catch((error: Error) => error);
    expect(failure).toMatchObject({
      message:
        "Postgres cannot be used at POSTGRES_URL=postgres://ann:***@localhost/app: " +
        "connect ECONNREFUSED ::1:5432; connect ECONNREFUSED. Correct the value " +
        "(for example postgres://user:password@127.0.0.1:5432/database), " +
        "or unset POSTGRES_URL to have the tests find Postgres themselves.",
    });
    expect(failure).not.toHaveProperty("cause");
  });
});
