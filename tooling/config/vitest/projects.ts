import type { TestProjectConfiguration } from "vitest/config";
import { SOURCE_CONDITION } from "../build/package-entries.mjs";

const fromSource = {
  resolve: { conditions: [SOURCE_CONDITION] },
  // Also handed to Node itself for what vitest does not transform, so no "import" here: it would misread CommonJS.
  ssr: { resolve: { conditions: [SOURCE_CONDITION, "node"] } },
};

/**
 * - `unit`: no process, port or server outside the test's own; the inner loop.
 * - `services`: real Postgres, Redis and Chromium, started once for the run by tooling/services.
 * - `packed`: what a user installs. Builds and packs, so it is the slow one.
 */
export const projects: TestProjectConfiguration[] = [
  {
    ...fromSource,
    test: {
      name: "unit",
      include: ["{packages,apps,tooling}/*/**/*.test.{ts,tsx}"],
      exclude: ["**/node_modules/**", "**/dist/**", "**/*.{services,packed}.test.{ts,tsx}"],
      // Some start processes, which takes its time where every core is at work.
      testTimeout: 30_000,
    },
  },
  {
    ...fromSource,
    test: {
      name: "services",
      include: ["{packages,apps,tooling}/*/**/*.services.test.{ts,tsx}"],
      exclude: ["**/node_modules/**", "**/dist/**"],
      globalSetup: ["tooling/services/src/vitest-setup.ts"],
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  },
  {
    ...fromSource,
    test: {
      name: "packed",
      include: ["tooling/*/**/*.packed.test.ts"],
      exclude: ["**/node_modules/**"],
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  },
];
