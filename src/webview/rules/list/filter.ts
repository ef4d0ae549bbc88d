import type { RuleView } from "../../../engine/rules/answers.ts";
import { ruleText } from "../names.ts";
import type { Model } from "../page-model.ts";
import type { Filter } from "../protocol.ts";

type Filtered = Pick<Model, "view" | "kept">;

/** The list's rules: of the chosen agent, with each word of the filter in their text. */
export function filteredRules({ view, kept: { filter } }: Filtered): readonly RuleView[] {
  const rules = view?.rules ?? [];
  if (!isFiltering(filter)) return rules;
  const words = wordsOf(filter.text);
  return rules.filter((rule) => {
    if (filter.agent !== null && rule.agent !== filter.agent) return false;
    const text = `${ruleText(rule, 400)} ${rule.agent}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function isFiltering({ agent, text }: Filter): boolean {
  return agent !== null || wordsOf(text).length > 0;
}

/**
 * Whether to list entries besides rules: those of an agent, unless another agent is chosen or text is
 * searched.
 */
export function listsAgent({ kept: { filter } }: Pick<Model, "kept">, agent: string): boolean {
  return wordsOf(filter.text).length === 0 && (filter.agent === null || filter.agent === agent);
}

/** The agents that have rules, in order. */
export function agentsOf({ view }: Pick<Model, "view">): readonly string[] {
  return [...new Set(view?.rules.map(({ agent }) => agent))].sort();
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
}
