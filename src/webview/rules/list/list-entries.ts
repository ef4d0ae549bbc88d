import type { RuleView, MemoryView } from "../../../engine/rules/rules-answers.ts";
import { ruleText } from "../names.ts";
import type { Model } from "../page-model.ts";
import type { Filter, Place } from "../rules-protocol.ts";
import { t } from "../../../engine/base/language.ts";
import { learnedProjects } from "../describe-learned.ts";
import { selectionAgents } from "../selection/selection.ts";
import { trialAgents } from "../trial/describe-trial.ts";

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
function listsAgent({ kept: { filter } }: Pick<Model, "kept">, agent: string): boolean {
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

interface Group {
  readonly name: string;
  readonly rules: readonly RuleView[];
}

/** The group of rules waiting to be let in. It is shown only while it has rules: with automatic approval it has none. */
const passed = t("Passed (waiting for you)");
const groups: readonly (readonly [string, readonly RuleView["status"][]])[] = [
  [passed, ["measured"]],
  [t("Candidates"), ["candidate"]],
  [t("Approved (to be measured)"), ["approved"]],
  [t("Active"), ["active"]],
  [t("Paused"), ["shelved"]],
  [t("Removed"), ["evicted"]],
];

/** Groups rules by status. The largest saving comes first within a group, then the newest rule. */
export function groupsOf({ rules }: { readonly rules: readonly RuleView[] }): Group[] {
  const all = groups.map(([name, statuses]) => ({
    name,
    rules: rules
      .filter(({ status }) => statuses.includes(status))
      .toSorted(
        (one, other) =>
          (other.saving ?? -Infinity) - (one.saving ?? -Infinity) ||
          (other.createdAt ?? 0) - (one.createdAt ?? 0),
      ),
  }));
  return all.filter(({ name, rules: own }) => name !== passed || own.length > 0);
}

/** A move in the list: a number of entries up or down, or to an end. */
export type Move = number | "first" | "last";

type Listed = Pick<Model, "view" | "kept" | "jobs" | "trials" | "learned">;

/** Lists all entries that the filter leaves from top to bottom: rules in their groups, selections, trials, memories, what was learned. */
export function listed(model: Listed): readonly Place[] {
  const { view } = model;
  if (view === null) return [];
  const rules = groupsOf({ rules: filteredRules(model) }).flatMap((group) => group.rules);
  return [
    ...rules.map(({ id }) => ({ kind: "rule" as const, id })),
    ...listedAgents(model, selectionAgents(model)).map((agent) => ({ kind: "selection" as const, agent })),
    ...listedAgents(model, trialAgents(model)).map((agent) => ({ kind: "trial" as const, agent })),
    ...listedMemories(model).map(({ agent }) => ({ kind: "memory" as const, agent })),
    ...(isFiltering(model.kept.filter) ? [] : learnedProjects(model)).map((project) => ({
      kind: "learned" as const,
      project,
    })),
  ];
}

export function listedAgents(model: Listed, agents: readonly string[]): readonly string[] {
  return agents.filter((agent) => listsAgent(model, agent));
}

export function listedMemories(model: Listed): readonly MemoryView[] {
  return (model.view?.memories ?? []).filter(({ agent }) => listsAgent(model, agent));
}

/** The entry that a move leads to, stopping at the ends of the list; null if it is the same entry. */
export function moved(model: Listed, move: Move): Place | null {
  const places = listed(model);
  const { place } = model.kept;
  const here = place === null ? -1 : places.findIndex((each) => isSamePlace(each, place));
  const last = places.length - 1;
  const wanted = move === "first" ? 0 : move === "last" ? last : here < 0 ? 0 : here + move;
  const next = Math.min(Math.max(wanted, 0), last);
  return next === here ? null : (places[next] ?? null);
}

export function isSamePlace(one: Place, other: Place): boolean {
  return placeKey(one) === placeKey(other);
}

/** A key that identifies a place. */
export function placeKey(place: Place): string {
  switch (place.kind) {
    case "rule":
      return `rule ${place.id}`;
    case "learned":
      return `learned ${place.project}`;
    case "memory":
    case "selection":
    case "trial":
      return `${place.kind} ${place.agent}`;
  }
}
