import { cleanText } from "../../base/text/text.ts";
import type { RuleSource } from "../rule.ts";
import { scrub } from "../../base/text/scrub.ts";

/** Longest stored finding and turn. Characters. */
const [longestFinding, longestTurn] = [400, 200];
const mostTurns = 12;

/** Prepares a text for storage: removes secrets first and truncates then, since half a secret is not recognized. */
export function withoutSecrets(text: string, longest: number): string {
  return scrub(cleanText(text)).slice(0, longest);
}

/** Prepares a rule's source for storage. Paths stay as they are, as they open the files. */
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
