import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import ts from "typescript";
import { inLanguage } from "../../../src/engine/base/text/in-language.ts";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import { german } from "../support/translation.ts";

const root = path.resolve(import.meta.dirname, "../../..");
/** The origins of figures that a file of the engine names without `english`, with 7 replacing each value. */
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

test("every origin of a figure in the engine has a text for people of all languages", () => {
  const files = globSync("src/engine/{context,transcripts}/**/*.ts", { cwd: root });
  const plain = [...new Set(files.flatMap(sourcesIn))];
  assert.deepEqual(plain, []);
});

test("origins are shown in the person's language; those of another version stay unchanged", () => {
  installTranslation(
    german({
      "your setting; {saidProof}": "Ihre Einstellung; {saidProof}",
      "no response yet": "noch keine Antwort",
      "the last {0} turns": "die letzten {0} Turns",
    }),
  );
  try {
    assert.equal(inLanguage("your setting; no response yet"), "Ihre Einstellung; noch keine Antwort");
    assert.equal(inLanguage("the last 5 turns"), "die letzten 5 Turns");
    assert.equal(inLanguage("the stars"), "the stars");
  } finally {
    Reflect.deleteProperty(globalThis, translationKey);
  }
});
