import { ruleText, type Rule } from "../rule.ts";

const heading = "Rules of this machine's owner for your work:";

/**
 * The text that a session is given: the same for the same rules, so that an agent that still holds it takes it only once. It does
 * not say that it is a trial, which would change what is tried. Null without rules.
 */
export function givenText(rules: readonly Pick<Rule, "id" | "scope" | "sentence">[]): string | null {
  if (rules.length === 0) return null;
  const lines = rules
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((rule) => `- ${ruleText(rule)}`);
  return [heading, ...lines].join("\n");
}
