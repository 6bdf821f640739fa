import type { RedisStoreSettings } from "./redis-store-options.ts";
import { checkHealth } from "./server/check-health.ts";
import type { RedisServer } from "./server/redis-server.ts";

/** Tells once what an operator should know. In the background: no call waits for it, and none fails by it. */
export function warnOnce(server: RedisServer, { onWarning = emitWarning, telemetry }: RedisStoreSettings): void {
  checkHealth(server).then(
    ({ warnings }) => {
      for (const warning of warnings) {
        telemetry?.count("agents.store.warning", 1, { "agents.store": "redis", "agents.store.warning": warning });
        onWarning(warning);
      }
    },
    // Whoever asks for the health of the store hears of it.
    () => {},
  );
}

function emitWarning(warning: string): void {
  process.emitWarning(warning, { code: "AGENTS_STORE_REDIS" });
}
