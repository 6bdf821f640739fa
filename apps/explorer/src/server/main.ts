import { fileURLToPath } from "node:url";
import { createExplorer } from "./create-explorer.ts";

const port = Number(process.env["PORT"] ?? 3000);
const server = createExplorer({ pageDir: fileURLToPath(new URL("../page", import.meta.url)), paceMs: 60 });

server.once("error", (error: NodeJS.ErrnoException) => {
  console.error(
    error.code === "EADDRINUSE"
      ? `Port ${port} is taken. Set PORT to another one: PORT=${port + 1} npm start`
      : `Cannot listen on port ${port}: ${error.message}`,
  );
  process.exit(1);
});
server.listen(port, "127.0.0.1", () => console.log(`\nContract explorer: http://127.0.0.1:${port}\n(Ctrl-C stops it)`));

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
