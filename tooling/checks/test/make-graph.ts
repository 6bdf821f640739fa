import { SOURCE_CONDITION } from "@tooling/config/build";
import { type ImportGraph, readImportGraph } from "../src/graph/import-graph.ts";
import { readWorkspace } from "../src/graph/workspace.ts";
import { makeRepository, type Tree } from "./make-repository.ts";

/** The import graph of a repository that lasts as long as the test. */
export function makeGraph(tree: Tree): ImportGraph {
  return readImportGraph(readWorkspace(makeRepository(tree)), [SOURCE_CONDITION]);
}
