// What sample-process.ts forks: the app with short leases and quick words.
import { createDemoModel } from "../src/model/demo-model.ts";
import { openStore } from "../src/server/open-store.ts";
import { serveSample } from "../src/server/serve-sample.ts";
import type { SampleProcessOptions } from "./sample-process.ts";

const { settings, pageDir, sectionMs } = JSON.parse(process.argv[2] ?? "{}") as SampleProcessOptions;
const store = await openStore(settings);
const server = await serveSample({
  store,
  model: createDemoModel({ wordMs: 2 }),
  pageDir,
  port: settings.port,
  reporter: { sections: 40, sectionMs },
  lease: { heartbeatMs: 300, expiryMs: 1_500 },
});
process.on("SIGTERM", () => {
  void server
    .close()
    .then(() => store.close())
    .then(() => process.exit(0));
});
process.send?.({ port: server.port });
