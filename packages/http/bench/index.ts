import { report } from "@tooling/bench";
import { throughputFigures } from "./throughput.ts";

report(await throughputFigures());
