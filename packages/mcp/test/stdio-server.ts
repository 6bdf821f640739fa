import { connect } from "node:net";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createToolServer } from "./tool-server.ts";

/** A server as a program. What it has to tell goes to the test's socket, whose port is in CONTROL_PORT. */
const socket = connect(Number(process.env["CONTROL_PORT"]), "127.0.0.1");
socket.on("error", () => {});
socket.unref();
const say = (word: string): void => void socket.write(`${word}\n`);
say(`started ${process.pid}`);

if (process.env["STUBBORN"] === "yes") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 60_000);
}
process.stderr.write("starting\n");
await createToolServer({ say }).connect(new StdioServerTransport());
process.stdin.on("end", () => say("stdin ended"));
