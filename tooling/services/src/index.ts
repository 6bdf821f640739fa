export { launchChromium } from "./launch-chromium.ts";
export { type OwnPostgres, type OwnPostgresOptions, startOwnPostgres } from "./own-postgres.ts";
export type { ProvidedServices } from "./provided-services.ts";
export {
  type RunningServices,
  type StartServicesOptions,
  startServices,
  type WantedServices,
} from "./start-services.ts";
