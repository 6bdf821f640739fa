// The budget's rows that name a peer. Installs it into a temporary folder, so that nobody else has to.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Compared, compareFigures, report } from "@tooling/bench";

const GENKIT = "1.42.0";
const ROUNDS = 3;
const HERE = fileURLToPath(new URL(".", import.meta.url));

/** What each program prints: microseconds per fresh session, per turn after so many, per chunk. */
interface Figures {
  readonly fresh: number;
  readonly grown: number;
  readonly young: number;
  readonly chunk: number;
}

const peer = installGenkit();
const ours: Figures[] = [];
const theirs: Figures[] = [];
for (let round = 0; round < ROUNDS; round++) {
  theirs.push(run("genkit.mjs", peer));
  ours.push(run("agents.mjs", HERE));
}
report([
  row("fresh one-turn sessions, memory store", (figures) => figures.fresh, 0.5),
  row("chunks through one turn", (figures) => figures.chunk, 0.5),
  row("cost of turn 1,000 / of turn 10", (figures) => figures.grown / figures.young, 0.1),
]);

function row(name: string, figure: (figures: Figures) => number, atMost: number): Compared {
  const best = (all: readonly Figures[]) => Math.min(...all.map(figure));
  const [mine, peers] = [best(ours), best(theirs)];
  const note = `${mine.toPrecision(3)} to ${peers.toPrecision(3)}`;
  return compareFigures({ name: `${name} / Genkit ${GENKIT}`, ours: mine, baseline: peers, atMost, note });
}

/** A process of its own for each: Genkit installs tracing, and ours would report to it. */
function run(program: string, cwd: string): Figures {
  const output = execFileSync(process.execPath, [join(HERE, program)], { cwd, encoding: "utf8", env: env(cwd) });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "") as Figures;
}

function env(cwd: string): NodeJS.ProcessEnv {
  return { ...process.env, PEER_FOLDER: cwd };
}

function installGenkit(): string {
  const folder = join(tmpdir(), `agents-bench-genkit-${GENKIT}`);
  if (existsSync(join(folder, "node_modules", "genkit"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  console.log(`Installing Genkit ${GENKIT} into ${folder} …`);
  const options = { cwd: folder, stdio: "ignore" } as const;
  execFileSync("npm", ["install", "--no-audit", "--no-fund", `genkit@${GENKIT}`], options);
  return folder;
}
