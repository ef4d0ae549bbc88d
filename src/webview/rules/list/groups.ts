import { t } from "../../../engine/base/text/l10n.ts";
import type { RuleView } from "../../../engine/rules/answers.ts";

export interface Group {
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
