import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { catalogue } from "../../src/engine/guard/catalogue/all.ts";
import { codedRules } from "../../src/engine/guard/catalogue/coded.ts";
import { commands } from "../../src/engine/cli/commands.ts";
import type { Options } from "../../src/engine/cli/args.ts";
import { pageOf, sentencesOf as helpOf } from "../../src/engine/cli/help.ts";
import type { Part } from "../../src/engine/cli/declaration.ts";
import { libraryMessages } from "../../src/engine/base/language.ts";
import { firstPage } from "../../src/engine/cli/first-page.ts";
import { mainHelp } from "../../src/engine/cli/guide.ts";

/** The sources' sentences for a person, and the places where one cannot be translated. */
export interface Sentences {
  /** Sorted, each once. */
  readonly messages: readonly string[];
  readonly faults: readonly string[];
}

/** The sentences of all helps of `purser`, and the forms of options' values. */
const ofHelp: readonly string[] = await Promise.all(Object.values(commands).map(({ load }) => load())).then(
  (all) => [
    ...helpOf(mainHelp(commands)),
    ...helpOf(firstPage(commands)),
    ...all.flatMap(({ declaration }) => [...helpOf(pageOf(declaration)), ...formsIn(declaration)]),
  ],
);

/** Texts of guard rules for agents and people. For coded rules also the examples, which are in words. */
const ofRules: readonly string[] = [
  ...[...catalogue, ...codedRules].flatMap(({ message, remedy }) => [message, remedy]),
  ...codedRules.map(({ example }) => example),
];

/** The forms of all options' values, apart from lists of choices. */
function formsIn({ options = {}, subcommands = {} }: Part<string>): string[] {
  const own = Object.values<Options[string]>(options).flatMap(({ value, choices }) =>
    value === undefined || choices !== undefined || !/[a-z]/u.test(value) ? [] : [value],
  );
  return [...own, ...Object.values(subcommands).flatMap(formsIn)];
}

/**
 * Collects the sentences of all helps, guard rules and libraries, and of all calls of `sentence`, and of `t`, whether it is our own
 * or a function that is passed.
 */
export function sentencesOf(root: string): Sentences {
  const messages = new Set<string>([...ofHelp, ...ofRules, ...libraryMessages]);
  const faults: string[] = [];
  for (const file of globSync("src/**/*.ts", { cwd: root }).toSorted()) {
    const read = sentencesIn(file, readFileSync(path.join(root, file), "utf8"));
    for (const message of read.messages) messages.add(message);
    faults.push(...read.faults);
  }
  return { messages: [...messages].toSorted(byCode), faults };
}

/** @param file its name in faults */
export function sentencesIn(file: string, text: string): Sentences {
  const messages: string[] = [];
  const faults: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && node.name.text === "l10n") {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      faults.push(
        `${file}:${line + 1}: the package has no texts for vscode.l10n; import t from engine/base/language.ts`,
      );
    }
    if (ts.isCallExpression(node) && isTranslation(node.expression)) {
      const found = messageOf(node);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (typeof found === "string") messages.push(found);
      else faults.push(`${file}:${line + 1}: ${found.fault}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { messages, faults };
}

/** The names of a sentence's placeholders, sorted, each once. */
export function placeholdersIn(message: string): string[] {
  return [...new Set([...message.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name ?? ""))].toSorted(byCode);
}

function isTranslation(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return called.text === "t" || called.text === "sentence";
  return ts.isPropertyAccessExpression(called) && called.name.text === "t";
}

function messageOf({
  arguments: [first, ...values],
}: ts.CallExpression): string | { readonly fault: string } {
  if (first === undefined || !ts.isStringLiteralLike(first))
    return { fault: "the sentence is not a single literal, which a translator could see" };
  const { text } = first;
  const places = placeholdersIn(text);
  const isNamed = places.some((name) => !/^\d+$/u.test(name));
  const isSpread = values.some((value) => ts.isSpreadElement(value));
  // Without values, the placeholders are for elements that are put there later.
  if (values.length === 0 || isNamed || isSpread) return text;
  const expected = Array.from(values, (_, index) => String(index));
  return places.join() === expected.toSorted(byCode).join()
    ? text
    : { fault: `${values.length} values for the placeholders ${places.join(", ") || "none"}` };
}

function byCode(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
