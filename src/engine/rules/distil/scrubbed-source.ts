import { cleanText } from "../../base/text/text.ts";
import type { RuleSource } from "../rule.ts";
import { scrub } from "./scrub.ts";

/** Characters. */
const [longestFinding, longestTurn] = [400, 200];
const mostTurns = 12;

/** What a run showed, as it may be kept: without secrets. It is cut after that, since half of a secret looks like none. */
export function withoutSecrets(text: string, longest: number): string {
  return scrub(cleanText(text)).slice(0, longest);
}

/** Where a rule came from, as it may be kept. Paths stay as they are: they open the files. */
export function scrubbedSource(source: RuleSource): RuleSource {
  if (source.kind === "file") return source;
  return {
    ...source,
    finding: withoutSecrets(source.finding, longestFinding),
    turns: source.turns
      .slice(0, mostTurns)
      .map(({ line, what }) => ({ line, what: withoutSecrets(what, longestTurn) })),
  };
}
