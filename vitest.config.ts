import { defineConfig } from "vitest/config";
import { projects } from "./tooling/config/vitest/projects.ts";

export default defineConfig({ test: { projects } });
