import type { Effort } from "../../effort.ts";
import { plainArgument, unknownText } from "../invocation.ts";
import { wordsWithin } from "../programs/typical-words.ts";

/** The words of a command, and the operator after it. */
interface Command {
  readonly words: readonly string[];
  readonly operator: string | null;
}

interface Loop {
  readonly variable: string;
  /** The start folder, until its words are known. */
  readonly words: readonly string[];
  readonly isDeep: boolean;
  /** Its words are lines of an output or of files. */
  readonly isOfLines: boolean;
}

/** Maximum rounds of a loop. With more, typical words represent all. */
const maxRounds = { whole: 8, typical: 64 };

/** Returns the commands of cmd with expanded loops: `for /d %i in (*) do rd /s /q %i` is `rd /s /q *`. */
export function withLoops<Each extends Command>(commands: readonly Each[], effort: Effort): Each[] {
  const found: Each[] = [];
  let loop: Loop | null = null;
  let isSet = false;
  for (const command of commands) {
    const [first = "", ...rest] = command.words;
    const name = first.toLowerCase();
    if (name === "for" && rest.at(-1)?.toLowerCase() === "in") {
      const variable = rest.find((word) => /^%{1,2}[a-z]$/iu.test(word)) ?? "%i";
      const deep = rest.findIndex((word) => /^\/r$/iu.test(word));
      const root = deep === -1 ? undefined : rest[deep + 1];
      loop = {
        variable,
        words: [root === undefined || root.startsWith("%") ? "." : root],
        isDeep: deep !== -1,
        isOfLines: rest.some((word) => /^\/f$/iu.test(word)),
      };
      isSet = true;
    } else if (isSet && loop !== null) {
      const given = loop.isOfLines ? [lineOf(command.words)] : command.words;
      const words = wordsWithin(given.map(plainArgument), maxRounds, effort);
      loop = filledLoop(
        loop,
        words.map(({ text }) => text),
      );
      isSet = false;
    } else if (name === "do" && loop !== null) {
      const { variable, words, isDeep }: Loop = loop;
      const use = new RegExp(`%{1,2}(?:~[a-z]{0,9})?${variable.slice(-1)}(?![a-z])`, "giu");
      const [program = "", ...others] = rest.map((word, at) => (at === 0 ? word.replace(/^@/u, "") : word));
      const inner = isDeep ? [program, "/s", ...others] : [program, ...others];
      for (const word of words)
        found.push({ ...command, words: inner.map((text) => text.replaceAll(use, () => word)) });
    } else found.push(command);
  }
  return found;
}

/** Returns the lines of a command's output: for `dir`, the files of its folder. */
function lineOf(words: readonly string[]): string {
  const [name = "", ...rest] = words.map((word) => word.replaceAll(/^['"`]+|(?<!['"`])['"`]+$/gu, ""));
  if (name.toLowerCase() !== "dir") return unknownText;
  const folder = rest.find((word) => !word.startsWith("/")) ?? ".";
  return /[*?]/u.test(folder) ? folder : `${folder.replace(/\\$/u, "")}\\*`;
}

function filledLoop({ words: [start = "."], isDeep, ...loop }: Loop, words: readonly string[]): Loop {
  return { ...loop, isDeep, words: isDeep ? words.map((word) => `${start}\\${word}`) : words };
}
