import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Settings } from "../src/server/read-settings.ts";

export interface SampleProcessOptions {
  readonly settings: Settings;
  readonly pageDir: string;
  readonly sectionMs: number;
}

/** The app as a process of its own, to be killed and started again on the same port. */
export interface SampleProcess {
  readonly url: string;
  readonly port: number;
  /** Without a word, as a machine that loses its power. */
  kill(): Promise<void>;
  /** As an operator would. */
  stop(): Promise<void>;
}

export async function startSample(options: SampleProcessOptions): Promise<SampleProcess> {
  const child = fork(fileURLToPath(new URL("./sample-program.ts", import.meta.url)), [JSON.stringify(options)], {
    execArgv: ["--conditions=@agents/source", "--import", "tsx"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (data: Buffer) => {
    said += data;
  });
  const ready = await Promise.race([
    once(child, "message").then(([message]) => message as { port: number }),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`The app ended with ${code}: ${said}`))),
  ]);
  return {
    port: ready.port,
    url: `http://127.0.0.1:${ready.port}`,
    kill: () => end(child, "SIGKILL"),
    stop: () => end(child, "SIGTERM"),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
