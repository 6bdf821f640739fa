// `npm start`: installs, builds, and runs the app. No database, no key, no other step.
import { install, run, runTurbo, stopInOrder } from "./workspace.mjs";

stopInOrder();

for (const step of [install, () => runTurbo(["build", "--output-logs=errors-only"])]) {
  const code = await step();
  if (code !== 0) process.exit(code);
}
process.exit(await run(process.execPath, ["apps/sample/dist/server/main.js"]));
