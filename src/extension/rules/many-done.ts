import type { ManyRulesAction, ManyRulesDone } from "../../engine/rules/answers.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { inWords } from "../../engine/base/language.ts";

/** Says what an action on several rules came to: how many were changed, and why the others and memories were not. */
export function describeManyDone(
  kind: ManyRulesAction["kind"],
  { ids, refused, memories }: ManyRulesDone,
  t: Translate,
): string {
  const [first] = refused;
  const stayed =
    first === undefined
      ? []
      : [
          refused.length === 1
            ? t("One rule stayed as it was: {0}.", inWords(first.why))
            : t("{0} rules stayed as they were, the first because {1}.", refused.length, inWords(first.why)),
        ];
  const unwritten = memories.map(({ agent, why }) =>
    t("The memory of {0} was not written: {1}.", agent, inWords(why)),
  );
  return [describeCount(kind, ids.length, t), ...stayed, ...unwritten].join(" ");
}

function describeCount(kind: ManyRulesAction["kind"], count: number, t: Translate): string {
  switch (kind) {
    case "approve":
      return count === 1
        ? t("One rule approved for measuring.")
        : t("{0} rules approved for measuring.", count);
    case "letIn":
      return count === 1
        ? t("One rule let into its agent's memory.")
        : t("{0} rules let into their agents' memories.", count);
    case "reject":
      return count === 1 ? t("One rule rejected.") : t("{0} rules rejected.", count);
    case "undo":
      return count === 1 ? t("One decision undone.") : t("{0} decisions undone.", count);
  }
}
