import type { RuleView } from "../../../engine/rules/rules-answers.ts";
import { outsideText } from "../../components/outside.ts";
import { ruleText } from "../names.ts";
import type { Model } from "../page-model.ts";
import { tabs, type Filter, type Place, type Tab } from "../rules-protocol.ts";
import { t } from "../../../engine/base/language.ts";

/** Maximum length of an agent's name as a heading. Characters. */
const maxNameLength = 40;

type Filtered = Pick<Model, "view" | "kept">;

/** Rules of all tabs: of the chosen agent, with each word of the filter in their text. */
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
  /** The agent of all its rules; null for a group of several agents. */
  readonly agent: string | null;
  readonly rules: readonly RuleView[];
}

const tabOfStatus: Readonly<Record<RuleView["status"], Tab>> = {
  measured: "waiting",
  candidate: "waiting",
  approved: "waiting",
  active: "memory",
  shelved: "archive",
  evicted: "archive",
};

export function tabOf({ status }: Pick<RuleView, "status">): Tab {
  return tabOfStatus[status];
}

/** The groups of the tabs that have rules of several statuses. */
const groups: readonly (readonly [string, RuleView["status"]])[] = [
  [t("Ready"), "measured"],
  [t("Proposed"), "candidate"],
  [t("To Be Measured"), "approved"],
  [t("Paused"), "shelved"],
  [t("Removed"), "evicted"],
];

/** Groups a tab's rules: those in memory by agent, others by status. The largest saving comes first, then the newest rule. */
export function groupsOf(rules: readonly RuleView[], tab: Tab): Group[] {
  const own = rules
    .filter((rule) => tabOf(rule) === tab)
    .toSorted(
      (one, other) =>
        (other.saving ?? -Infinity) - (one.saving ?? -Infinity) ||
        (other.createdAt ?? 0) - (one.createdAt ?? 0),
    );
  const all =
    tab === "memory"
      ? [...new Set(own.map(({ agent }) => agent))].sort().map((agent) => ({
          name: outsideText(agent, maxNameLength),
          agent,
          rules: own.filter((rule) => rule.agent === agent),
        }))
      : groups.map(([name, status]) => ({
          name,
          agent: null,
          rules: own.filter((rule) => rule.status === status),
        }));
  return all.filter((group) => group.rules.length > 0);
}

/** The rules of the chosen tab that the filter leaves, from top to bottom. */
export function listedRules(model: Filtered): readonly RuleView[] {
  return groupsOf(filteredRules(model), tabIn(model)).flatMap((group) => group.rules);
}

/** The chosen tab. Before one is chosen, the first with a rule. */
export function tabIn({ view, kept: { tab } }: Filtered): Tab {
  return tab ?? tabs.find((each) => view?.rules.some((rule) => tabOf(rule) === each)) ?? "waiting";
}

/** A move in the list: a number of entries up or down, or to an end. */
export type Move = number | "first" | "last";

/** The rule that a move leads to, stopping at the ends of the list; null if it is the same. */
export function moved(model: Filtered, move: Move): Place | null {
  const ids = listedRules(model).map(({ id }) => id);
  const { place } = model.kept;
  const here = place?.kind === "rule" ? ids.indexOf(place.id) : -1;
  const last = ids.length - 1;
  const wanted = move === "first" ? 0 : move === "last" ? last : here < 0 ? 0 : here + move;
  const next = Math.min(Math.max(wanted, 0), last);
  const id = ids[next];
  return next === here || id === undefined ? null : { kind: "rule", id };
}
