import { unknownPart } from "../invocation.ts";

/** The commands in a script of awk. */
export interface AwkScripts {
  readonly scripts: readonly string[];
  /** Whether it pipes its output into a shell. */
  readonly isPiped: boolean;
}

const literal = '"((?:[^"\\\\\\n]|\\\\.){0,500})"';
const assigned = new RegExp(`\\b(\\w{1,40})\\s{0,9}=\\s{0,9}${literal}`, "gu");
const readFrom = new RegExp(`(?:${literal}|\\b(\\w{1,40}))\\s{0,9}\\|&?\\s{0,9}getline\\b`, "gu");
const writtenTo = new RegExp(`\\|&?\\s{0,9}(?:${literal}|(\\w{1,40}))`, "gu");
const system = /\bsystem\s{0,9}\(/gu;
const shell = /^\s*(?:\S*\/)?(?:env\s+)?(?:ba|z|da|k|a)?sh\b/u;
/** Maximum length of a call. Characters. */
const maxCall = 500;

/** Finds the commands that a script of awk runs: by `system`, and by pipes to and from it. */
export function readAwk(code: string): AwkScripts {
  const values = new Map([...code.matchAll(assigned)].map(([, name = "", text = ""]) => [name, plain(text)]));
  const commandOf = (text: string | undefined, name: string | undefined): string | undefined =>
    text === undefined ? values.get(name ?? "") : plain(text);
  const read = [...code.matchAll(readFrom)].flatMap(([, text, name]) => commandOf(text, name) ?? []);
  const written = [...code.matchAll(writtenTo)].flatMap(([, text, name]) => commandOf(text, name) ?? []);
  const tokenAt = tokenReader(code);
  const run = [...code.matchAll(system)].map(({ index, 0: { length } }) =>
    expressionAt(index + length, tokenAt, values),
  );
  return { scripts: [...read, ...written, ...run], isPiped: written.some((text) => shell.test(text)) };
}

const plain = (text: string): string => text.replaceAll(/\\(.)/gu, "$1");

interface Token {
  readonly text: string;
  readonly end: number;
}

const oneToken = /\s*("(?:[^"\\\n]|\\.){0,500}"|\$?\w+|[()]|\S)/uy;

/** Returns a cached reader of tokens. Nested calls read the same ones. */
function tokenReader(code: string): (at: number) => Token | null {
  const known = new Map<number, Token | null>();
  return (at) => {
    const read = known.get(at);
    if (read !== undefined) return read;
    oneToken.lastIndex = at;
    const [whole = "", text] = oneToken.exec(code) ?? [];
    const found = text === undefined ? null : { text, end: at + whole.length };
    known.set(at, found);
    return found;
  };
}

/** Returns the text of an expression up to a closing bracket, with a mark for unknown parts. */
function expressionAt(
  from: number,
  tokenAt: (at: number) => Token | null,
  values: ReadonlyMap<string, string>,
): string {
  let text = "";
  let depth = 0;
  for (let at = from; at < from + maxCall;) {
    const next = tokenAt(at);
    if (next === null) break;
    at = next.end;
    const token = next.text;
    if (token === ")" && depth === 0) break;
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (token.startsWith('"')) text += plain(token.slice(1, -1));
    else text += values.get(token) ?? (text.endsWith(unknownPart) ? "" : unknownPart);
  }
  return text;
}
