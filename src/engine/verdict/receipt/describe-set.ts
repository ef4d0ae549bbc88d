import { inMarkdown } from "../../base/text/in-markdown.ts";
import { formatPercent } from "../describe.ts";
import { confirm, type SetDecision } from "../retention.ts";
import type { Receipt } from "./receipt.ts";

/** Characters of a rule's sentence in a table. */
const longestTitle = 160;

/** Says what exactly a set's receipt compared, and what follows from it; no line for any other receipt. */
export function describeSet({ set, verdict }: Receipt): string[] {
  if (set === undefined) return [];
  const found = set.filter(({ isFound }) => isFound).length;
  const active = set.length - found;
  const before = active === 0 ? "" : ` and ${active} that ${active === 1 ? "was" : "were"} active before`;
  return [
    `- Compared: the memory with ${found} rules that were found${before}, against no rules at all`,
    `- So: ${decisions[confirm(verdict)]}`,
  ];
}

const decisions: Readonly<Record<SetDecision, string>> = {
  confirmed: "confirmed. The rules that were found may be let in",
  refused: "refused. The rules that were found are not let in: they are shelved with their receipts",
  undecided:
    "undecided. The rules that were found have receipts of their own, and may still be let in by a person",
};

/** A row for each rule of a set, with what its own newest receipt shows. */
export function tableOfSet({ set }: Receipt): string[] {
  if (set === undefined) return [];
  const rows = set.map(({ title, isFound, savingShare, receiptId }) => {
    const own = savingShare === null ? "unknown" : formatPercent(savingShare);
    const receipt = receiptId === null ? "-" : inMarkdown(receiptId, longestTitle);
    return `| ${inMarkdown(title, longestTitle)} | ${isFound ? "found" : "active"} | ${own} | ${receipt} |`;
  });
  return ["| Rule | Was | Saves by itself | Receipt |", "| :--- | :--- | :--- | :--- |", ...rows, ""];
}
