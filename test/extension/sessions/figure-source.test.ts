import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import ts from "typescript";
import { figureSource } from "../../../src/extension/sessions/figure-source.ts";

const root = path.resolve(import.meta.dirname, "../../..");
/** Marks what was translated; values stay. */
const t = (message: string, ...values: readonly (string | number)[]) =>
  `[${message.replaceAll(/\{(\d)\}/gu, (_, index: string) => String(values[Number(index)]))}]`;

/** The origins of figures that a file of the engine names, with 7 in place of each value. */
function sourcesIn(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const constants = new Map<string, string>();
  const found: string[] = [];
  const add = (value: ts.Expression | undefined): void => {
    if (value === undefined) return;
    if (ts.isStringLiteralLike(value)) found.push(value.text);
    else if (ts.isTemplateExpression(value))
      found.push([value.head.text, ...value.templateSpans.map(({ literal }) => literal.text)].join("7"));
    else if (ts.isConditionalExpression(value)) [value.whenTrue, value.whenFalse].forEach(add);
    else if (ts.isIdentifier(value)) found.push(constants.get(value.text) ?? "");
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const { initializer } = node;
      if (ts.isStringLiteralLike(initializer)) constants.set(node.name.text, initializer.text);
      if (node.name.text === "source") add(initializer);
    }
    if (ts.isCallExpression(node) && node.expression.getText() === "unknownFigure") add(node.arguments[0]);
    if (ts.isPropertyAssignment(node) && node.name.getText() === "source") {
      const names = node.parent.properties.map((each) => each.name?.getText());
      if (names.includes("provenance") || names.includes("tokens")) add(node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.filter((text) => text.includes(" "));
}

test("every origin of a figure that the engine names is told in the user's language", () => {
  const files = globSync("src/engine/{context,transcripts}/**/*.ts", { cwd: root });
  const sources = [...new Set(files.flatMap(sourcesIn))];
  assert.ok(sources.length > 30, `${sources.length} are found`);
  // Of a call that is only estimated for a budget, nobody is told in a tooltip.
  const untold = sources.filter((source) => !source.startsWith("as the first call of "));
  assert.deepEqual(
    untold.filter((source) => figureSource(source, t) !== `[${source}]`),
    [],
  );
});

test("what another version says stays as it is", () => {
  assert.equal(figureSource("the stars", t), "the stars");
  assert.equal(figureSource("constructor", t), "constructor");
  assert.equal(figureSource("your setting; no response yet", t), "[your setting; [no response yet]]");
});
