import { wholeNumber } from "../../base/text/format.ts";
import type { Finding } from "./finding.ts";
import type { Trajectory } from "./trajectory.ts";
import { english } from "../../base/text/english.ts";

/** Shorter output is not worth a rule. Characters. */
const longOutput = 8000;
/** Most words to search for, spread over the output. */
const mostWords = 300;
const word = /[\p{L}_$][\p{L}\p{N}_$-]{6,60}/gu;
const mostFound = 3;

/**
 * Finds long output none of whose own words reappear in what the model said or asked afterwards. This shows that the output
 * was not needed at that length; it cannot show that nothing was learned from it.
 */
export function findUnused({ actions, texts }: Trajectory): Finding[] {
  const found: Finding[] = [];
  for (const action of actions) {
    const { result } = action;
    if (result === null || result.isError || result.chars < longOutput) continue;
    const before = texts
      .filter(({ line }) => line <= action.line)
      .map(({ text }) => text)
      .join("\n");
    const after = texts
      .filter(({ line }) => line > action.line)
      .map(({ text }) => text)
      .join("\n");
    const own = spread([...new Set(result.text.match(word) ?? [])].filter((each) => !before.includes(each)));
    // The last output is for the person to read, and output without words of its own proves nothing.
    if (after === "" || own.length < 20 || own.some((each) => after.includes(each))) continue;
    found.push({
      kind: "unused-output",
      what: english(
        "{0} characters of {1}, of which nothing came back later",
        wholeNumber(result.chars),
        action.target || action.tool,
      ),
      advice: "Ask long output only for what you need: head, tail or a pattern, or the lines of a file.",
      characters: result.chars,
      turns: [{ line: action.line, what: `${action.tool} ${action.target}`.trim() }],
    });
  }
  return found.toSorted((one, other) => other.characters - one.characters).slice(0, mostFound);
}

function spread(words: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.ceil(words.length / mostWords));
  return words.filter((_, index) => index % step === 0);
}
