export { type ModelFromEnvironmentOptions, modelFromEnvironment } from "./model-from-environment.ts";
