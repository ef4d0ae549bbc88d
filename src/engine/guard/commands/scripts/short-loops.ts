import { parse, type ParsedScript } from "unbash";
import type { Effort } from "../../effort.ts";
import type { Parseable } from "../bounds.ts";

/** Parses a script, of which a shell other than zsh may not know the loops. */
export function parseScript({ text, steps }: Parseable, effort: Effort): ParsedScript {
  const script = parse(text);
  if (script.errors === undefined || script.errors.length === 0) return script;
  const long = withLongLoops(text);
  return long === null || !effort.take(steps) ? script : parse(long);
}

// No part of a pattern is unbounded: each place of a text would be looked at from each other one.
const short =
  /\bfor[ \t]{1,9}(\w{1,60})[ \t]{0,9}(?:\(([^()\n]{0,300})\)|in[ \t]{1,9}([^;()\n]{1,300});)[ \t]{0,9}(?!do\b)([^;\n{}]{1,500})/gu;

/** Writes the short loops of zsh, which no other shell has, with `do` and `done`; null where there are none. */
function withLongLoops(text: string): string | null {
  const long = text.replaceAll(
    short,
    (_all, name: string, bracketed: string | undefined, listed: string | undefined, body: string) =>
      `for ${name} in ${bracketed ?? listed ?? ""}; do ${body.trimEnd()}; done`,
  );
  return long === text ? null : long;
}
