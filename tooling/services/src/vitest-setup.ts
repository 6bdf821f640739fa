import type { TestProject } from "vitest/node";
import type {} from "./provided-services.ts";
import { startServices } from "./start-services.ts";

/** Vitest's globalSetup of the project `services`: one Postgres, Redis and Chromium for the run. Returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgresUrl, redisUrl, chromePath, stop } = await startServices({
    postgres: true,
    redis: true,
    chromium: true,
  });
  project.provide("postgresUrl", postgresUrl);
  project.provide("redisUrl", redisUrl);
  project.provide("chromePath", chromePath);
  return stop;
}
