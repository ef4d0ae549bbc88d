import { parse, type ParsedScript, forEachChild, type SyntaxNode } from "unbash";
import type { Effort } from "../../effort.ts";
import type { Parseable } from "../bounds.ts";

/** Parses a script, which may contain short loops of zsh. */
export function parseScript({ text, steps }: Parseable, effort: Effort): ParsedScript {
  const script = parse(text);
  if (script.errors === undefined || script.errors.length === 0) return script;
  const long = withLongLoops(text);
  return long === null || !effort.take(steps) ? script : parse(long);
}

// Bounded, as unbounded parts of these patterns would take quadratic time.
const list = String.raw`\(((?:[^()\n]|\([^()\n]{0,40}\)){0,300})\)`;
const names = String.raw`(\w{1,60}(?:[ \t]{1,9}\w{1,60}){0,3})`;
const braced = String.raw`\{((?:[^{}]|\$\{[^{}\n]{0,60}\}){1,500})\}`;
const forms: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:for|select)[ \t]{1,9}${names}[ \t]{0,9}(?:${list}|in[ \t]{1,9}([^;()\n]{1,300});)\s{0,9}${braced}`,
    "gu",
  ),
  new RegExp(
    String.raw`\bforeach[ \t]{1,9}${names}[ \t]{0,9}(?:${list}|in[ \t]{1,9}([^;()\n]{1,300}))[ \t]{0,9}[;\n]([^{}]{1,500}?)[;\n]\s{0,9}end\b`,
    "gu",
  ),
  new RegExp(
    String.raw`\b(?:for|select)[ \t]{1,9}${names}[ \t]{0,9}(?:${list}|in[ \t]{1,9}([^;()\n]{1,300});)[ \t]{0,9}(?![ \t]|do\b)([^;\n{}]{1,500})`,
    "gu",
  ),
];
/** A function without a name, which is called with the words after it. */
const nameless = new RegExp(String.raw`(?<![\w)])\(\)[ \t]{0,9}${braced}([^;\n&|]{0,200})`, "gu");
/** A qualifier of a pattern: `*(N)`. */
const qualifier = /(?<=[*?\]\w/])\([^()]{0,40}\)/gu;

/** Writes the short loops of zsh with `do` and `done`; null for none. */
function withLongLoops(text: string): string | null {
  let long = text;
  for (const form of forms)
    long = long.replaceAll(
      form,
      (_all, variables: string, bracketed: string | undefined, listed: string | undefined, body: string) =>
        longLoop(variables.split(/\s+/u), bracketed ?? listed ?? "", body.trim()),
    );
  long = long.replaceAll(
    nameless,
    (_all, body: string, words: string) =>
      `nameless() { ${body.trim().replace(/;$/u, "")}; }; nameless${words}`,
  );
  return long === text ? null : long;
}

/** If a round takes several words, each may be any word of the list. */
function longLoop(variables: readonly string[], words: string, body: string): string {
  const plain = words.replaceAll(qualifier, "");
  return variables.reduce(
    (inner, variable) => `for ${variable} in ${plain}; do ${inner}; done`,
    body.replace(/;$/u, ""),
  );
}

/** Recognizes a function that starts itself twice in a pipeline. */
export function isForkBomb(name: string, body: SyntaxNode): boolean {
  let isFound = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Pipeline") {
      const own = node.commands.filter((each) => each.type === "Command" && each.name?.value === name);
      if (own.length > 1) isFound = true;
    }
    if (node.type !== "Function") forEachChild(node, visit);
  };
  visit(body);
  return isFound;
}
