// Run by start-services.services.test.ts as a process of its own: starts servers in the temporary folder it is given,
// tells where they are, and after a line on stdin ends in the way its argument names.
import { once } from "node:events";
import { startServices } from "./start-services.ts";

const [ending, temporary] = process.argv.slice(2);
const { postgresUrl, redisUrl, stop } = await startServices({
  postgres: true,
  redis: true,
  env: { ...process.env, TMPDIR: temporary },
});
process.stdout.write(`${JSON.stringify({ postgresUrl, redisUrl })}\n`);
await once(process.stdin, "data");
process.stdin.destroy();

switch (ending) {
  case "throw":
    throw new Error("The fixture was asked to throw.");
  case "stop":
    await stop();
    break;
  case "return":
    break;
  default:
    throw new Error(`Unknown ending "${ending}"; know throw, stop and return.`);
}
