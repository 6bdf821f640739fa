import { report } from "@tooling/bench";
import { memoryFigure } from "./memory.ts";
import { throughputFigures } from "./throughput.ts";

// First, while nothing else has left anything behind.
const memory = await memoryFigure();
report([...(await throughputFigures()), memory]);
