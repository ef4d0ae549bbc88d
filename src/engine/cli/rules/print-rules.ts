import { sentenceOf, t } from "../../base/language.ts";
import { dash } from "../../base/format.ts";
import { wholeNumber, estimatedNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import { rentFactor } from "../../rules/rent.ts";
import type { RuleStatus } from "../../rules/rule.ts";
import type { RuleView, StepView, MemoryView } from "../../rules/rules-answers.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column, figures } from "../table.ts";
import { asLine, utcMinute } from "../terminal-text.ts";
import { whyNoMemory, describeNeed, agentDefinitions, agentFolders } from "../../rules/agent-definition.ts";
import { purserPaths } from "../../base/paths.ts";
import { readChosen } from "../../rules/chosen-files.ts";
import { mainAgent } from "../../rules/main-files.ts";
import type { CliHost } from "../cli-ports.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import type { SetOutcome, SettledSet } from "../../rules/selection.ts";
import type { SetDecision } from "../../verdict/retention.ts";
import type { SelectJson } from "./select-schema.ts";

/** Cells. */
const maxWidth = 76;

/** A rule's own words, safe to print on one line. */
export function ruleLine({ scope, sentence }: Pick<RuleView, "scope" | "sentence">): string {
  // As written in a memory.
  return cleanText(scope === null ? sentence : `(when ${scope}) ${sentence}`);
}

export function printRules(rules: readonly RuleView[], style: Style): string {
  if (rules.length === 0)
    return `${t("There are no rules. Add one with purser rules add, or import a file with purser rules import.")}\n`;
  const rows = rules.map((rule) => [
    rule.id,
    cleanText(rule.agent),
    describeStatus(rule),
    describeSaving(rule),
    wholeNumber(rule.rent.cost),
    ruleLine(rule),
  ]);
  const columns: readonly Column[] = [
    { title: t("Rule") },
    { title: t("Agent"), fit: "end" },
    { title: t("Status") },
    ...figures(t("Saves"), t("Cost/session")),
    { title: t("Sentence"), maxWidth: maxWidth, fit: "end", minWidth: 24 },
  ];
  return alignColumns(columns, rows, style);
}

export function printRule(rule: RuleView, style: Style): string {
  const { rent, saving, similar, source, receipts } = rule;
  const lines = [
    style.bold(ruleLine(rule)),
    `${t("{0}, of {1}: {2}", rule.id, cleanText(rule.agent), describeStatus(rule))}${rule.decidedReason === null ? "" : `; ${asLine(rule.decidedReason)}`}`,
    t("Cost per session: {0} tokens ({1})", wholeNumber(rent.cost), describeCost(rent)),
    savingLine(saving, wholeNumber(rentFactor * rent.cost)),
  ];
  if (source?.kind === "file") lines.push(t("From {0}, line {1}", cleanText(source.path), source.line));
  if (source?.kind === "run") {
    lines.push(t("From session {0}: {1}", cleanText(source.sessionId), asLine(source.finding)));
    lines.push(...source.turns.map(({ line, what }) => `  ${t("line {0}: {1}", line, cleanText(what))}`));
    if (source.runId !== undefined)
      lines.push(`  ${t("everything it did: {0}", `purser rules digest ${rule.id}`)}`);
  }
  for (const { id, text, status, likeness } of similar)
    lines.push(
      t("Like {0} ({1}, {2}%): {3}", id, stateNames[status], Math.round(100 * likeness), cleanText(text)),
    );
  for (const { id, verdict } of receipts)
    lines.push(t("Report {0}: {1}", cleanText(id), asLine(sentenceOf(verdict))));
  return `${lines.join("\n")}\n`;
}

/** Where the cost comes from. Today's estimate of a measured rule is only a note. */
function describeCost({ isMeasured, own, prefix, total, because }: RuleView["rent"]): string {
  const parts = t(
    "{0} its own, {1} for the prompt cache; {2}",
    wholeNumber(own),
    wholeNumber(prefix),
    asLine(because),
  );
  return isMeasured ? t("as measured; today ~{0}: {1}", wholeNumber(total), parts) : parts;
}

function savingLine(saving: number | null, needed: string): string {
  if (saving === null) return t("Saves: not measured yet; it must save {0} per completed run", needed);
  return saving < 0
    ? t("Costs: {0} tokens more per completed run; it must save {1}", wholeNumber(-saving), needed)
    : t("Saves: {0} tokens per completed run; it must save {1}", wholeNumber(saving), needed);
}

export function printHistory(steps: readonly StepView[], style: Style): string {
  return steps
    .map(({ at, who, to, why }) => `${style.dim(utcMinute(at))}  ${cleanText(who)}: ${to}; ${asLine(why)}\n`)
    .join("");
}

function describeStatus({ status, isProtected, strikes }: RuleView): string {
  const marks = [isProtected ? t("protected") : "", strikes > 0 ? t("does not earn its cost") : ""].filter(
    (mark) => mark !== "",
  );
  return marks.length === 0 ? statusNames[status] : `${statusNames[status]} (${marks.join(", ")})`;
}

function describeSaving({ saving }: RuleView): string {
  return saving === null ? dash : wholeNumber(saving);
}

const statusNames: Readonly<Record<RuleStatus, string>> = {
  candidate: t("proposed"),
  approved: t("approved"),
  measured: t("ready"),
  active: t("active"),
  shelved: t("shelved"),
  evicted: t("evicted"),
};

/** As `--status` names them. */
export const stateNames: Readonly<Record<RuleStatus, string>> = {
  ...statusNames,
  candidate: t("candidate"),
  measured: t("measured"),
};

/** Empty if the agent reads its memory. */
export async function unreachedLine(
  agent: string,
  host: Pick<CliHost, "env" | "home" | "cwd">,
): Promise<string> {
  const definitions = await agentDefinitions(agentFolders([host.cwd], claudeRoot(host)));
  const chosen = agent === mainAgent ? await readChosen({ chosenFiles: purserPaths(host).mainFiles }) : null;
  if (chosen?.ok === true && chosen.value.length > 0) return "";
  const why = whyNoMemory(agent, definitions);
  if (why === null) return "";
  const how = agent === mainAgent ? ` ${t("purser rules file --use NAME chooses it.")}` : "";
  return `${t("No rule reaches {0}.", cleanText(agent))} ${asLine(describeNeed(why))}${how}\n`;
}

export function lettingInLines(rule: RuleView, memories: readonly MemoryView[]): string {
  const memory = memories.find(({ agent }) => agent === rule.agent);
  if (rule.status !== "measured" || memory === undefined) return "";
  const isTheirs = memory.state === "foreign" || memory.state === "edited";
  const [command, file] = [`purser rules approve ${rule.id}`, cleanText(memory.file)];
  const what = isTheirs
    ? t(
        "{0} writes this line into {1}; it was changed since purser wrote it, so it is kept until purser memory compile --replace:",
        command,
        file,
      )
    : t("{0} writes this line into {1}:", command, file);
  return `${what}\n  - ${ruleLine(rule)}\n`;
}

const setWords: Readonly<Record<SetDecision, string>> = {
  confirmed: t("confirmed"),
  refused: t("rejected, so none of them is added"),
  undecided: t(
    "undecided. None is added automatically, but you can still approve each one by its own report",
  ),
};

export function setLine({ found, decision, receipt }: SettledSet): string {
  const of = receipt.set?.length ?? found.length;
  return t(
    "All {0} rules together, against none: {1}. {2} Report {3}",
    of,
    setWords[decision],
    asLine(receipt.verdict.reason),
    receipt.id,
  );
}

/** Empty for a rule without a set. */
export function wholeSetLine({ set, agent, status }: Pick<RuleView, "set" | "agent" | "status">): string {
  if (set === undefined) return "";
  if (set.decision === null)
    return `${t("It and {0} more have passed, and were not measured together: {1} does it", set.rules - 1, `purser select ${cleanText(agent)} --confirm`)}\n`;
  const words = status === "active" && set.decision === "undecided" ? t("undecided") : setWords[set.decision];
  return `${t("All {0} rules together, against none: {1}. {2} Report {3}", set.rules, words, asLine(set.reason), cleanText(set.receiptId ?? ""))}\n`;
}

/** Null if the set was confirmed. */
export function unpaidLine(set: SetOutcome | null, agent: string): string | null {
  if (set?.kind !== "unpaid") return null;
  const command = `purser select ${agent} --confirm`;
  return set.tokens === null
    ? t(
        "The {0} rules that were found are not confirmed together: the limit is too low for that. {1} does it",
        set.found.length,
        command,
      )
    : t(
        "The {0} rules that were found are not confirmed together: the limit is too low for that, which takes ~{1} tokens or more. {2} does it",
        set.found.length,
        estimatedNumber(set.tokens),
        command,
      );
}

export function setToJson(set: SetOutcome): NonNullable<SelectJson["set"]> {
  const found = [...set.found];
  return set.kind === "settled"
    ? { found, decision: set.decision, receipt: set.receipt }
    : { found, decision: null, receipt: null };
}
