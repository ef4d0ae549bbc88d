import { isUnknown, type Argument } from "../../commands/invocation.ts";

/** Known options of a program. After an unknown one, operands and values cannot be distinguished. */
export interface OptionSpec {
  /** Options without a value, separated by blanks. */
  readonly flags?: string;
  /** Options that take the next word, or the rest of theirs. */
  readonly valued?: string;
  /** Takes numbers as options: `-20`. */
  readonly isNumbered?: boolean;
  /** Words after the first operand belong to another program. */
  readonly isLeading?: boolean;
}

export interface ReadOperands {
  readonly operands: readonly Argument[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, Argument>;
  /** Number of operands before `--`; null where there is none. */
  readonly dashes: number | null;
}

const split = new WeakMap<OptionSpec, { flags: ReadonlySet<string>; valued: ReadonlySet<string> }>();

/** Splits a command's words into options and operands; null if an option is unknown. */
export function readOperands(spec: OptionSpec, args: readonly Argument[]): ReadOperands | null {
  const { flags: plain, valued } = splitSpec(spec);
  const operands: Argument[] = [];
  const flags = new Set<string>();
  const values = new Map<string, Argument>();
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    const { text } = arg;
    if (text === "--")
      return { operands: [...operands, ...args.slice(at + 1)], flags, values, dashes: operands.length };
    if (!text.startsWith("-") || text === "-") {
      // A word that only the shell knows may be an option or empty.
      if (isUnknown(text.slice(0, 1))) return null;
      operands.push(arg);
      if (spec.isLeading === true) break;
      continue;
    }
    if (isUnknown(text) && !text.includes("=")) return null;
    if (spec.isNumbered === true && /^-\d+$/u.test(text)) continue;
    const next = args[at + 1];
    const equals = text.indexOf("=");
    if (plain.has(text)) flags.add(text);
    else if (valued.has(text)) {
      if (next === undefined) return null;
      values.set(text, next);
      at += 1;
    } else if (text.startsWith("--")) {
      const name = equals === -1 ? text : text.slice(0, equals);
      if (equals === -1 || (!valued.has(name) && !plain.has(name))) return null;
      values.set(name, { ...arg, text: text.slice(equals + 1) });
      flags.add(name);
    } else {
      const end = readLetters(text, plain, valued, flags);
      if (end === null) return null;
      if (end.rest !== "") values.set(end.letter, { ...arg, text: end.rest });
      else if (valued.has(end.letter)) {
        if (next === undefined) return null;
        values.set(end.letter, next);
        at += 1;
      }
    }
  }
  return { operands, flags, values, dashes: null };
}

/** Reads `-rn5` as `-r` and `-n` with `5`; null for an unknown letter. */
function readLetters(
  text: string,
  plain: ReadonlySet<string>,
  valued: ReadonlySet<string>,
  flags: Set<string>,
): { readonly letter: string; readonly rest: string } | null {
  for (let at = 1; at < text.length; at += 1) {
    const letter = `-${text.charAt(at)}`;
    if (valued.has(letter)) return { letter, rest: text.slice(at + 1) };
    if (!plain.has(letter)) return null;
    flags.add(letter);
  }
  return { letter: "", rest: "" };
}

function splitSpec(spec: OptionSpec): { flags: ReadonlySet<string>; valued: ReadonlySet<string> } {
  const known = split.get(spec);
  if (known !== undefined) return known;
  const made = {
    flags: new Set((spec.flags ?? "").split(" ")),
    valued: new Set((spec.valued ?? "").split(" ")),
  };
  split.set(spec, made);
  return made;
}

/** Whether a word is passed on as it is written, without output of another program. */
export function isCertain({ text, isPattern, from }: Argument): boolean {
  return !isPattern && text !== "" && !isUnknown(text) && from.every((source) => source === "pwd");
}

/** Maximum length of a name that is looked up. Characters. */
const maxNameLength = 200;

/** Tests whether a text is a name on one line, short enough for a report. */
export function isPlainName(text: string): boolean {
  return text.length <= maxNameLength && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u.test(text);
}
