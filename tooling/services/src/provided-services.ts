// Brings the module into the program, so that it can be augmented.
import type {} from "vitest";

/** What tests of the vitest project `services` get from `inject()`. */
export interface ProvidedServices {
  postgresUrl: string;
  redisUrl: string;
  chromePath: string;
}

declare module "vitest" {
  interface ProvidedContext extends ProvidedServices {}
}
