import ts from "typescript";

export interface ImportReference {
  specifier: string;
  line: number;
  /** False when the module is loaded at run time. */
  typeOnly: boolean;
  /** The whole statement or call on one line, so that a message can show it with another specifier. */
  statement: string;
}

/**
 * What a file imports: import and export declarations, `import x = require()`, `import()`, `require()` and `import("x").T`,
 * each with a literal specifier. `import { type T } from "x"` counts as a run-time import, because under
 * verbatimModuleSyntax it loads "x" all the same.
 */
export function readImports(file: string, text: string): ImportReference[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, scriptKind(file));
  const found: ImportReference[] = [];
  const visit = (node: ts.Node): void => {
    const match = matchImport(node);
    if (match) {
      const start = node.getStart(source);
      found.push({
        specifier: match.specifier.text,
        line: source.getLineAndCharacterOfPosition(start).line + 1,
        typeOnly: match.typeOnly,
        statement: text.slice(start, node.end).replace(/\s+/g, " ").replace(/;$/, ""),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The statement as it would read with another specifier. */
export function withSpecifier(reference: ImportReference, specifier: string): string {
  const at = reference.statement.lastIndexOf(reference.specifier);
  const { statement } = reference;
  return statement.slice(0, at) + specifier + statement.slice(at + reference.specifier.length);
}

interface Match {
  specifier: ts.StringLiteralLike;
  typeOnly: boolean;
}

function matchImport(node: ts.Node): Match | undefined {
  if (ts.isImportDeclaration(node)) {
    // `phaseModifier` is `isTypeOnly` since TypeScript 5.9, where the latter is deprecated.
    return literal(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
  }
  if (ts.isExportDeclaration(node)) return literal(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return literal(node.moduleReference.expression, node.isTypeOnly);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal, true);
  if (ts.isCallExpression(node) && loadsModule(node.expression)) return literal(node.arguments[0], false);
  return undefined;
}

function loadsModule(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function literal(node: ts.Node | undefined, typeOnly: boolean): Match | undefined {
  return node && ts.isStringLiteralLike(node) ? { specifier: node, typeOnly } : undefined;
}

function scriptKind(file: string): ts.ScriptKind {
  if (/\.[cm]?ts$/.test(file)) return ts.ScriptKind.TS;
  if (/\.[cm]?js$/.test(file)) return ts.ScriptKind.JS;
  return file.endsWith(".jsx") ? ts.ScriptKind.JSX : ts.ScriptKind.TSX;
}
