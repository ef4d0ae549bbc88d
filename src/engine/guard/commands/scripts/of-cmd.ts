import type { Effort } from "../../effort.ts";
import { plainArgument } from "../invocation.ts";
import { wordsWithin } from "../programs/typical-words.ts";

/** The words of one command, and the operator that ends it. */
interface Command {
  readonly words: readonly string[];
  readonly operator: string | null;
}

interface Loop {
  readonly variable: string;
  /** Until its words are known, the folder that it begins in. */
  readonly words: readonly string[];
  readonly isDeep: boolean;
}

/** Words of a loop that are gone through; of more, those that stand for all. */
const maxRounds = { whole: 8, typical: 64 };

/** Returns the commands of cmd with its loops gone through: `for /d %i in (*) do rd /s /q %i` is `rd /s /q *`. */
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
      };
      isSet = true;
    } else if (isSet && loop !== null) {
      const words = wordsWithin(command.words.map(plainArgument), maxRounds, effort);
      loop = filledLoop(
        loop,
        words.map(({ text }) => text),
      );
      isSet = false;
    } else if (name === "do" && loop !== null) {
      const { variable, words, isDeep } = loop;
      const use = new RegExp(`%{1,2}(?:~[a-z]{0,9})?${variable.slice(-1)}(?![a-z])`, "giu");
      const [program = "", ...others] = rest.map((word, at) => (at === 0 ? word.replace(/^@/u, "") : word));
      const inner = isDeep ? [program, "/s", ...others] : [program, ...others];
      for (const word of words)
        found.push({ ...command, words: inner.map((text) => text.replaceAll(use, () => word)) });
    } else found.push(command);
  }
  return found;
}

function filledLoop({ variable, words: [start = "."], isDeep }: Loop, words: readonly string[]): Loop {
  return { variable, isDeep, words: isDeep ? words.map((word) => `${start}\\${word}`) : words };
}
