import type { RulesView, RuleView } from "../../engine/service/rules-view.ts";

export interface Group {
  readonly name: string;
  readonly rules: readonly RuleView[];
}

/** Between approved and active, and only where nothing is let in by itself: the group is there when one of it is. */
const passed = "Passed (waiting for you)";
const groups: readonly (readonly [string, readonly RuleView["status"][]])[] = [
  [passed, ["measured"]],
  ["Candidates", ["candidate"]],
  ["Approved (to be measured)", ["approved"]],
  ["Active", ["active"]],
  ["Shelved", ["shelved"]],
  ["Evicted", ["evicted"]],
];

/** Rules by where they are in their lives; within a group by what they save, then the newest. */
export function groupsOf({ rules }: RulesView): Group[] {
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
