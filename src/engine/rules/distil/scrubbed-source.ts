import { cleanText } from "../../base/text.ts";
import { mapSentence } from "../../base/language.ts";
import type { RuleSource } from "../rule.ts";
import { scrub } from "../../base/scrub.ts";

/** Maximum length of a stored finding and of a turn. Characters. */
const [maxFindingLength, maxTurnLength] = [400, 200];

const maxTurns = 12;

/** Prepares a text for storage: removes secrets first and truncates then, since half a secret is not recognized. */
export function withoutSecrets(text: string, maxLength: number): string {
  return scrub(cleanText(text)).slice(0, maxLength);
}

/** Prepares a rule's source for storage. Paths stay as they are, as they open the files. */
export function scrubbedSource(source: RuleSource): RuleSource {
  if (source.kind === "file") return source;
  return {
    ...source,
    finding: mapSentence(source.finding, (text) => withoutSecrets(text, maxFindingLength)),
    turns: source.turns
      .slice(0, maxTurns)
      .map(({ line, what }) => ({ line, what: withoutSecrets(what, maxTurnLength) })),
  };
}
