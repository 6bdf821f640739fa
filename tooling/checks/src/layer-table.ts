/** Who may import whom, as data. architecture/layers.md says why; the checks only read this. */

/** A folder below `src`. By name alone it may import every lower level; the object form narrows that. */
export type FolderRule = string | { folder: string; values: readonly string[]; types: readonly string[] };

/** Something that most entries of a package must not load at run time, however indirectly. */
export interface ReachRule {
  /** A package name, or `node:` for every Node module. */
  module: string;
  /** The subpaths that may load it. */
  allowed: readonly string[];
  /** Why the others may not. */
  reason: string;
  /** What to write instead. */
  instead: string;
}

export interface PackageLayer {
  /** Workspace packages that its sources may import. */
  imports: readonly string[];
  /** Folders below `src`, lower levels first. Folders of one level do not see each other. Files directly in `src` see all. */
  levels: readonly (readonly FolderRule[])[];
  /** `index`: a folder is entered through its index.ts only, because the folder is a published subpath. */
  crossFolder: "index" | "file";
  /** Folders that are no subpath although they have an index.ts: users get what is in them through others. */
  internal?: readonly string[];
  reach: readonly ReachRule[];
  /** Subpaths that load inside a test runner alone, so a plain program cannot import them. */
  insideTestRunner?: readonly string[];
}

const SCHEMA = "@agents/schema";

const NO_NODE_IN_BROWSER = {
  module: "node:",
  reason: "it must load in a browser",
  instead: "Use a web API that Node has too (TextEncoder, URL, AbortSignal), or take the capability as an argument.",
} as const;

const NO_NODE_IN_WORKERS = {
  ...NO_NODE_IN_BROWSER,
  reason: "it must load in Deno, Bun and workers",
} as const;

const NO_ZOD_IN_BUNDLE = {
  module: "zod",
  reason: "zod must not end up in the client's bundle",
  instead: `Write "import type", or move what needs the schema to where "${SCHEMA}/wire" may be loaded.`,
} as const;

/** A library that sees the contracts and no sibling: the point of the star. */
const LEAF: PackageLayer = { imports: [SCHEMA], levels: [], crossFolder: "file", reach: [] };

export const PACKAGE_LAYERS: Readonly<Record<string, PackageLayer>> = {
  [SCHEMA]: {
    imports: [],
    levels: [
      ["error"],
      // What patch, hash and wire know of JSON values.
      ["json"],
      ["patch", "sse", "hash", "route", "record"],
      [{ folder: "agent", values: ["error", "json", "route"], types: ["error", "json", "patch", "route"] }],
      [{ folder: "wire", values: ["agent", "error", "json", "route"], types: ["agent", "error", "json", "route"] }],
      // Ports are contracts: they name wire types, but whoever implements a store does not load zod.
      [{ folder: "port", values: ["error"], types: ["agent", "error", "patch", "route", "wire"] }],
    ],
    crossFolder: "index",
    internal: ["json"],
    reach: [
      { ...NO_NODE_IN_BROWSER, allowed: ["./hash"] },
      { ...NO_ZOD_IN_BUNDLE, allowed: ["./agent", "./wire"] },
    ],
  },
  "@agents/core": {
    ...LEAF,
    levels: [
      ["channel", "clock", "telemetry", "state"],
      ["bidi", "snapshot"],
      ["turn"],
      ["session", "transfer"],
      ["invocation", "model", "tool"],
      ["generate"],
      ["history", "prompt"],
      ["conversation", "delegation"],
      ["agent"],
    ],
  },
  "@agents/store-memory": LEAF,
  "@agents/store-file": {
    ...LEAF,
    levels: [["disk", "record"], ["session"], ["journal"], ["turn"], ["index", "watch"]],
  },
  "@agents/store-postgres": {
    ...LEAF,
    levels: [
      ["text", "sql"],
      ["database", "function"],
      ["row", "hint", "migration"],
    ],
  },
  "@agents/store-redis": {
    ...LEAF,
    levels: [["lua"], ["record"], ["server"], ["context"], ["turn", "hint"], ["session"]],
  },
  "@agents/model-ai-sdk": {
    ...LEAF,
    levels: [["provider"], ["request", "answer"], ["model"], ["environment"]],
    reach: [
      {
        module: "@ai-sdk/openai-compatible",
        allowed: ["./environment"],
        reason: "whoever brings another provider should not load this one, which takes most of the time",
        instead: "Take the provider's model as an argument.",
      },
    ],
  },
  "@agents/mcp": LEAF,
  "@agents/http": {
    ...LEAF,
    levels: [
      ["edge"],
      ["limit", "presence", "openapi"],
      ["stream"],
      ["route"],
      ["socket"],
      ["handler"],
      // The published subpath: the handler itself loads no Node module.
      ["node"],
    ],
    reach: [{ ...NO_NODE_IN_WORKERS, allowed: ["./node"] }],
  },
  "@agents/client": {
    ...LEAF,
    levels: [["clock", "state"], ["transport"], ["snapshot"], ["stream"], ["chat", "connection", "task"]],
    reach: [
      { ...NO_NODE_IN_BROWSER, allowed: [] },
      { ...NO_ZOD_IN_BUNDLE, allowed: [] },
    ],
  },
  "@agents/react": {
    ...LEAF,
    imports: [SCHEMA, "@agents/client"],
    reach: [
      { ...NO_NODE_IN_BROWSER, allowed: [] },
      { ...NO_ZOD_IN_BUNDLE, allowed: [] },
    ],
  },
  "@agents/testing": {
    ...LEAF,
    // No core: the kits must work for stores that know nothing of it, and core's own tests use them.
    levels: [
      ["clock", "model", "stream", "telemetry"],
      ["store", "conformance"],
      // What runs in the processes that are killed: it must load without a test runner.
      ["chaos-process"],
      ["chaos"],
    ],
    insideTestRunner: ["./store", "./chaos"],
  },
};

export type Group = "packages" | "apps" | "tooling";

/** What the sources of packages that are not in PACKAGE_LAYERS may import from the workspace: names start with these. */
export const GROUP_IMPORTS: Readonly<
  Record<Exclude<Group, "packages">, { imports: readonly string[]; reason: string }>
> = {
  apps: { imports: ["@agents/"], reason: "an app is built from published packages, as a user's would be" },
  tooling: {
    imports: ["@tooling/"],
    reason: "tooling builds and checks the packages, so it has to work while one of them does not compile",
  },
};

/** Folders of a package that hold development code, as `*.test.*`, `*.bench.*` and `*.config.*` files do. */
export const DEVELOPMENT_FOLDERS: readonly string[] = ["bench", "test"];

/** Sources that are compiled in another project, where other packages are installed. */
export const TEMPLATE_FOLDERS: readonly string[] = ["tooling/checks/consumer"];

export const LAYER_TABLE_FILE = "tooling/checks/src/layer-table.ts";
