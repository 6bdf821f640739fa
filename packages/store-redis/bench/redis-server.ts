import { startServices } from "@tooling/services";

/** A server for the run, unless REDIS_URL names one. It writes nothing to disk, and neither does what it is compared with. */
export async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const { redisUrl, stop } = await startServices({ redis: true });
  return { url: redisUrl, stop };
}
