import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Workspace } from "../graph/workspace.ts";
import type { Violation } from "../violation.ts";

const ROOTS: ReadonlySet<string> = new Set(["it", "test", "describe", "suite", "bench"]);

/** Tests that are switched off by oversight: `.only` always, `.skip` unless the title has "(skipped if <reason>)". */
export function checkTestFocus(workspace: Workspace): Violation[] {
  const files = workspace.packages
    .flatMap((pkg) => pkg.files)
    .filter((file) => /\.(test|bench)\.[cm]?tsx?$/.test(file));
  return files.flatMap((file) => {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(workspace.root, file), "utf8"),
      ts.ScriptTarget.Latest,
      false,
      file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    );
    const violations: Violation[] = [];
    const visit = (node: ts.Node): void => {
      const message = ts.isCallExpression(node) ? refuse(node, source) : undefined;
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      if (message) violations.push({ file, line, message });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return violations;
  });
}

function refuse(call: ts.CallExpression, source: ts.SourceFile): string | undefined {
  const chain = calleeNames(call.expression);
  const [root, ...modifiers] = chain;
  // `it.only.each(rows)` is only half of a test; the call of its result has the title.
  if (root === undefined || !ROOTS.has(root) || /^(each|for|skipIf|runIf)$/.test(nameOf(call.expression)))
    return undefined;
  const title = call.arguments[0]?.getText(source) ?? "";
  if (modifiers.includes("only")) {
    return `${chain.join(".")}(${title}) keeps every other test of the file from running. Remove ".only".`;
  }
  if (modifiers.includes("skip") && !/\(skipped if [^\s)]/.test(title)) {
    return `${chain.join(".")}(${title}) is skipped without a reason. Put it in the title, "… (skipped if <reason>)", or remove ".skip".`;
  }
  return undefined;
}

/** `it.skip.each(rows)` and `it.skip` are both ["it", "skip", …]. */
function calleeNames(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...calleeNames(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee)) return calleeNames(callee.expression);
  return ts.isTaggedTemplateExpression(callee) ? calleeNames(callee.tag) : [];
}

function nameOf(callee: ts.Expression): string {
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : "";
}
