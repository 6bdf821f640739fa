import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createCluster } from "redis";
import { type OwnRedis, startOwnRedis } from "./own-redis.ts";

export type ClusterClient = ReturnType<typeof clusterOver>;

export interface OwnCluster {
  readonly nodes: readonly OwnRedis[];
  client(): Promise<ClusterClient>;
  stop(): Promise<void>;
}

const NODE = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--save", "", "--appendonly", "no"];
const run = promisify(execFile);

/** Three masters, each with a third of the slots. */
export async function startOwnCluster(): Promise<OwnCluster> {
  const nodes = await Promise.all([startOwnRedis(NODE), startOwnRedis(NODE), startOwnRedis(NODE)]);
  const clients: ClusterClient[] = [];
  try {
    await run("redis-cli", ["--cluster", "create", ...nodes.map(({ port }) => `127.0.0.1:${port}`), "--cluster-yes"]);
    for (const node of nodes) await untilWhole(node);
  } catch (error) {
    await Promise.all(nodes.map((node) => node.stop()));
    throw error;
  }
  return {
    nodes,
    async client() {
      const client = clusterOver(nodes);
      await client.connect();
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) if (client.isOpen) client.destroy();
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

function clusterOver(nodes: readonly OwnRedis[]) {
  const client = createCluster({ rootNodes: nodes.map(({ url }) => ({ url })) });
  client.on("error", () => {});
  return client;
}

/** Each node hears of the others in its own time. */
async function untilWhole(node: OwnRedis): Promise<void> {
  const client = await node.client();
  for (;;) {
    const info = String(await client.sendCommand(["CLUSTER", "INFO"]));
    if (info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:3")) return;
  }
}
