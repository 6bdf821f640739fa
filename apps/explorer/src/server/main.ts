import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createExplorer } from "./create-explorer.ts";

const port = readPort(process.env["PORT"] ?? "3000");
const server = createExplorer({ pageDir: fileURLToPath(new URL("../page", import.meta.url)), paceMs: 60 });

server.once("error", (error: NodeJS.ErrnoException) => {
  console.error(
    error.code === "EADDRINUSE"
      ? `Port ${port} is taken. Set PORT to another one: PORT=${port + 1} npm start`
      : `Cannot listen on port ${port}: ${error.message}`,
  );
  process.exit(1);
});
server.listen(port, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`\nContract explorer: http://127.0.0.1:${port}\n(Ctrl-C stops it)`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}

function readPort(text: string): number {
  const port = Number(text);
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  console.error(
    `PORT is ${JSON.stringify(text)}, which is not a port. Set it to a number from 0 (any free one) to 65535.`,
  );
  process.exit(1);
}
