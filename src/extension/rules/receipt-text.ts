import { type Receipt, receiptToMarkdown } from "../../engine/verdict/receipt.ts";
import { measuresModel } from "../../engine/bench/run-facts.ts";
import type { Translate } from "../editor/describe-editor.ts";

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
        ? t("Let the rule into its agent's memory: **Purser: Review Rules**.")
        : t(
            "Use the change: it is as good and takes fewer tokens. **Purser: Open Comparisons** has both sides.",
          );
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
