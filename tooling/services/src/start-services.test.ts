import { expect, it } from "vitest";
import { fakeMachine } from "./fake-machine.ts";
import { startServices } from "./start-services.ts";

it("starts nothing that is not asked for", async () => {
  const { stop, ...addresses } = await startServices({ machine: fakeMachine({}) });
  expect(addresses).toEqual({});
  await stop();
});

it("takes a browser that the environment names", async () => {
  const machine = fakeMachine({ env: { CHROME_PATH: process.execPath } });
  expect(await startServices({ chromium: true, machine })).toMatchObject({ chromePath: process.execPath });
});

it.each([
  ["is not there", "/no/such/browser", "no such file or directory"],
  ["is a folder", "/", "it is not a file"],
])("rejects a browser that %s", async (_, CHROME_PATH, reason) => {
  const start = startServices({ chromium: true, machine: fakeMachine({ env: { CHROME_PATH } }) });
  await expect(start).rejects.toThrow(`Chromium cannot be used at CHROME_PATH=${CHROME_PATH}: `);
  await expect(start).rejects.toThrow(reason);
});

// Port 1 of 127.0.0.1 answers nowhere.
it.each([
  ["POSTGRES_URL", { postgres: true }, "postgres://ann:s3cret@127.0.0.1:1/app", "postgres://ann:***@127.0.0.1:1/app"],
  ["REDIS_URL", { redis: true }, "redis://ann:s3cret@127.0.0.1:1", "redis://ann:***@127.0.0.1:1"],
])("rejects a %s that does not answer", async (variable, wanted, url, shown) => {
  const start = startServices({ ...wanted, machine: fakeMachine({ env: { [variable]: url } }) });
  await expect(start).rejects.toThrow(`cannot be used at ${variable}=${shown}: connect ECONNREFUSED 127.0.0.1:1`);
  await expect(start).rejects.not.toThrow("s3cret");
});

it("names every service that is missing in one message", async () => {
  const start = startServices({ postgres: true, redis: true, chromium: true, machine: fakeMachine({}) });
  await expect(start).rejects.toThrow(/Postgres was not found[\s\S]*Redis was not found[\s\S]*Chromium was not found/);
});
