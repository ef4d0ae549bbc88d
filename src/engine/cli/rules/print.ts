import { dash, wholeNumber } from "../../base/text/format.ts";
import { cleanText } from "../../base/text/text.ts";
import type { RuleStatus } from "../../rules/rule.ts";
import type { RuleView, StepView } from "../../rules/answers.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";

/** Maximum cells of a rule's sentence in a list. */
const widest = 76;

/** A rule's own words, safe to print on one line. */
export function ruleLine({ scope, sentence }: Pick<RuleView, "scope" | "sentence">): string {
  return cleanText(scope === null ? sentence : `(when ${scope}) ${sentence}`);
}

export function printRules(rules: readonly RuleView[], style: Style): string {
  if (rules.length === 0)
    return "There are no rules. Add one with purser rules add, or import a file with purser rules import.\n";
  const rows = rules.map((rule) => [
    rule.id,
    cleanText(rule.agent),
    describeStatus(rule),
    describeSaving(rule),
    wholeNumber(rule.rent.total),
    ruleLine(rule),
  ]);
  const columns: readonly Column[] = [
    { title: "Rule" },
    { title: "Agent", fit: "end" },
    { title: "Status" },
    { title: "Saves", isFigure: true },
    { title: "Cost/session", isFigure: true },
    { title: "Sentence", most: widest, fit: "end", least: 24 },
  ];
  return alignColumns(columns, rows, style);
}

export function printRule(rule: RuleView, style: Style): string {
  const { rent, saving, similar, source, receipts } = rule;
  const lines = [
    style.bold(ruleLine(rule)),
    `${rule.id}, of ${cleanText(rule.agent)}: ${describeStatus(rule)}${rule.decidedReason === null ? "" : `; ${cleanText(rule.decidedReason)}`}`,
    `Cost per session (rent): ${wholeNumber(rent.total)} tokens (${wholeNumber(rent.own)} its own, ${wholeNumber(rent.prefix)} for the prompt cache); ${rent.because}`,
    `Saves: ${saving === null ? "not measured yet" : `${wholeNumber(saving)} tokens per completed run`}; needed: ${wholeNumber(2 * rent.total)}`,
  ];
  if (source?.kind === "file") lines.push(`From ${cleanText(source.path)}, line ${source.line}`);
  if (source?.kind === "run") {
    lines.push(`From session ${cleanText(source.sessionId)}: ${cleanText(source.finding)}`);
    lines.push(...source.turns.map(({ line, what }) => `  line ${line}: ${cleanText(what)}`));
    if (source.runId !== undefined) lines.push(`  everything it did: purser rules digest ${rule.id}`);
  }
  for (const { id, text, status, likeness } of similar)
    lines.push(`Like ${id} (${status}, ${Math.round(100 * likeness)}%): ${cleanText(text)}`);
  for (const { id, verdict } of receipts) lines.push(`Report ${cleanText(id)}: ${cleanText(verdict)}`);
  return `${lines.join("\n")}\n`;
}

export function printHistory(steps: readonly StepView[], style: Style): string {
  return steps
    .map(({ at, who, to, why }) => `${style.dim(dateOf(at))}  ${cleanText(who)}: ${to}; ${cleanText(why)}\n`)
    .join("");
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

function describeStatus({ status, isProtected, strikes }: RuleView): string {
  const marks = [isProtected ? "protected" : "", strikes > 0 ? "does not earn its cost" : ""].filter(
    (mark) => mark !== "",
  );
  return marks.length === 0 ? statusNames[status] : `${statusNames[status]} (${marks.join(", ")})`;
}

function describeSaving({ saving }: RuleView): string {
  return saving === null ? dash : wholeNumber(saving);
}

const statusNames: Readonly<Record<RuleStatus, string>> = {
  candidate: "candidate",
  approved: "approved",
  measured: "passed",
  active: "active",
  shelved: "shelved",
  evicted: "evicted",
};
