import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { projects } from "./tooling/config/vitest/projects.ts";

// Vitest leaves one core to itself, which on two is half of the machine.
export default defineConfig({ test: { projects, maxWorkers: availableParallelism() } });
