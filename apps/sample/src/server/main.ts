import { fileURLToPath } from "node:url";
import { modelFromEnvironment } from "@agents/model-ai-sdk/environment";
import { AgentError } from "@agents/schema/error";
import { createDemoModel } from "../model/demo-model.ts";
import { openStore } from "./open-store.ts";
import { readSettings } from "./read-settings.ts";
import { serveSample } from "./serve-sample.ts";

/** Runs the app until it is told to stop. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const model = modelFromEnvironment({ env: process.env, fallback: createDemoModel() });
  const store = await openStore(settings);
  const pageDir = fileURLToPath(new URL("../page", import.meta.url));
  const server = await serveSample({ store, model, pageDir, port: settings.port });
  console.log(`\nAgents: ${server.url}\nStore: ${settings.store}. Model: ${model.name}. (Ctrl-C stops it)`);

  let stopping = false;
  const stop = async (): Promise<void> => {
    // The second time, at once.
    if (stopping) process.exit(130);
    stopping = true;
    await server.close();
    await store.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});

/** What an operator can act upon, without a stack. */
function explain(error: unknown): unknown {
  if (AgentError.is(error)) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === "EADDRINUSE")
    return `Port ${port} is taken. Set PORT to another one: PORT=${Number(port) + 1} npm start`;
  return error;
}
