import { type Receipt, receiptToMarkdown } from "../../engine/verdict/receipt.ts";
import { measuresModel } from "../../engine/bench/run-facts.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { ManyRulesAction, ManyRulesDone } from "../../engine/rules/rules-answers.ts";
import { inWords } from "../../engine/base/language.ts";

/** A receipt for reading, with what a person can do next. The seal covers the figures, not this. */
export function receiptText(receipt: Receipt, t: Translate): string {
  return [receiptToMarkdown(receipt), `## ${t("What you can do")}`, "", `- ${next(receipt, t)}`, ""].join(
    "\n",
  );
}

function next({ driver, verdict, subject }: Receipt, t: Translate): string {
  if (!measuresModel(driver))
    return t(
      "This was a demo with recordings. Install Claude Code or Codex, and measure again to learn what holds for a model.",
    );
  const isRule = subject.kind === "rule" || subject.kind === "set";
  switch (verdict.kind) {
    case "saves":
      return isRule
        ? t("Add the rule to its agent's memory: **Purser: Review Rules**.")
        : t("Use the change: it is as good and takes fewer tokens. The comparison's page has both sides.");
    case "undecided":
      return t(
        "Leave it as it is, or measure again with more rounds, if a saving this small matters to you.",
      );
    case "costs":
    case "regression":
    case "cheaper-not-as-good":
      return t("Leave it as it is: the change takes more tokens, or the work gets worse.");
  }
}

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
        ? t("One rule added to its agent's memory.")
        : t("{0} rules added to their agents' memories.", count);
    case "reject":
      return count === 1 ? t("One rule rejected.") : t("{0} rules rejected.", count);
    case "undo":
      return count === 1 ? t("One decision undone.") : t("{0} decisions undone.", count);
  }
}
