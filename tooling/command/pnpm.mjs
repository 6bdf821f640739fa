// `npm run setup`, `npm run build`, …: pnpm at the pinned version, for people who have only npm.
import { runPnpm, stopInOrder } from "./workspace.mjs";

stopInOrder();
process.exit(await runPnpm(process.argv.slice(2)));
