export { type Compared, type CompareOptions, type Comparison, compare, compareFigures } from "./compare.ts";
export { formatReport, isWithin, report } from "./report.ts";
