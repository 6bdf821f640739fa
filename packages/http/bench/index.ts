import { report } from "@tooling/bench";
import { memoryFigure } from "./memory.ts";
import { throughputFigures } from "./throughput.ts";

report([...(await throughputFigures()), await memoryFigure()]);
