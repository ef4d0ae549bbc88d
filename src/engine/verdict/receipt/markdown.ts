import { sentence } from "../../base/language.ts";
import { dash, dollars, percent, wholeNumber } from "../../base/format.ts";
import { describeReplay } from "../../bench/plan.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { inMarkdown } from "../../base/text.ts";
import type { Receipt } from "./receipt.ts";
import { describeEvidence } from "../evidence.ts";
import { describeGrade } from "./expectation.ts";
import { usualMargin } from "../verdict.ts";
import { formatPercent, formatPoints, formatTokens } from "./reason.ts";
import { confirm, type SetDecision } from "../retention.ts";

/** Maximum length of a rule's sentence in a table. Characters. */
const maxTitleLength = 160;

/** Describes what a set's receipt compared, and the consequence; no line for any other receipt. */
function describeSet({ set, verdict }: Receipt): string[] {
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

/** A row for each rule of a set, with the result of its own newest receipt. */
function tableOfSet({ set }: Receipt): string[] {
  if (set === undefined) return [];
  const rows = set.map(({ title, isFound, savingShare, receiptId }) => {
    const own = savingShare === null ? "unknown" : formatPercent(savingShare).text;
    const receipt = receiptId === null ? "-" : inMarkdown(receiptId, maxTitleLength);
    return `| ${inMarkdown(title, maxTitleLength)} | ${isFound ? "found" : "active"} | ${own} | ${receipt} |`;
  });
  return ["| Rule | Was | Saves by itself | Receipt |", "| :--- | :--- | :--- | :--- |", ...rows, ""];
}

/** Maximum length of an outside name in a line. Characters. */
const maxNameLength = 200;

/**
 * Formats a receipt for people. Its first line states the value of its figures: a replay is a demonstration, spends
 * nothing and has no price. Names, titles and rules are outside text; each is one escaped stretch of a line, so that
 * none of them can add a line or a figure.
 */
export function receiptToMarkdown(receipt: Receipt): string {
  const { verdict, subject, rounds } = receipt;
  const [before, after] = receipt.sides;
  const [one, other] = subject.kind === "set" ? setSides : usualSides;
  const margin = Math.round(100 * (receipt.question.passMargin ?? usualMargin));
  const lines = [
    headline(receipt),
    "",
    `## ${verdictNames[verdict.kind].text}`,
    "",
    verdict.reason.text,
    "",
    ...describeExpected(receipt),
    `- ${subjectNames[subject.kind]}: ${name(subject.title.text)}`,
    `- Agent: ${name(receipt.agent)}`,
    ...describeSet(receipt),
    ...describeEvidence(receipt).map(({ text }) => `- ${text}`),
    `- ${one}: ${describeSide(before, rounds)}`,
    `- ${other}: ${describeSide(after, rounds)}`,
    ...describeTokens(receipt),
    `- Saved per run, failed ones included: ${verdict.saving === null ? "unknown" : formatTokens(verdict.saving).text}; needed: ${wholeNumber(receipt.question.bar)}`,
    `- Share saved: ${verdict.savingShare === null ? "unknown" : formatPercent(verdict.savingShare).text}`,
    ...(verdict.perCompleted
      ? [`- Saved per completed task: ${formatPercent(verdict.perCompleted).text}`]
      : []),
    ...describeCost(receipt),
    `- Passed ${one.toLowerCase()}: ${describePassed(verdict.passed[0])}`,
    `- Passed ${other.toLowerCase()}: ${describePassed(verdict.passed[1])}`,
    `- Difference: ${verdict.passedDifference === null ? "unknown" : formatPoints(verdict.passedDifference).text}; at most ${margin} fewer are accepted`,
    `- Rounds: ${rounds.own}${rounds.pooled > 0 ? `, and ${rounds.pooled} of earlier measurements` : ""}; ${describeError(receipt.question)}, however often it was looked${describeFirstLook(receipt)}`,
    ...describeTogether(receipt),
    describeSpent(receipt),
    `- Driver: ${receipt.driver}; seed ${receipt.seed}; ${new Date(receipt.at).toISOString()}`,
    `- Suite ${name(receipt.suiteHash)}, fixture ${name(receipt.fixtureHash)}`,
    `- Seal ${receipt.seal}`,
    "",
    ...tableOfSet(receipt),
    `| Task | Pairs | Tokens ${one.toLowerCase()} | ${other} | Saved | Passed ${one.toLowerCase()} | ${other} |`,
    "| :--- | ---: | ---: | ---: | :--- | ---: | ---: |",
    ...verdict.tasks.map(taskRow),
    "",
  ];
  return lines.join("\n");
}

function describeExpected(receipt: Receipt): string[] {
  const { expected } = receipt;
  const grade = describeGrade(receipt);
  if (expected === undefined || grade === null) return [];
  const { perSession, ofNothing, use } = expected;
  const until =
    use === null
      ? ""
      : `; used in ${wholeNumber(use.perWeek)} sessions a week for ${wholeNumber(use.weeks)} weeks, until the next model`;
  return [
    grade.text,
    "",
    `- Expected per session: ${wholeNumber(perSession)} tokens less${until}`,
    `- It saves nothing with a chance of ${percent(100 * ofNothing)}`,
  ];
}

const usualSides = ["As it is", "With the change"] as const;
const setSides = ["Without rules", "With all of them"] as const;

function headline({ driver, recordedBy, at }: Receipt): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return measuresModel(driver)
    ? `# Receipt of ${day}`
    : `# Receipt of ${day}. ${describeReplay(recordedBy.map(name)).text}`;
}

function describeFirstLook({ question: { firstLook = 1 } }: Receipt): string {
  return firstLook === 1 ? "" : `, for the first time after ${firstLook} rounds`;
}

function describeError({ alpha, arms }: Receipt["question"]): string {
  if (arms === undefined) return `error rate ${alpha} on each side`;
  const whole = Number((alpha * arms).toPrecision(6));
  return `error rate ${whole} on each side for all ${arms} changes together (${Number(alpha.toPrecision(3))} for this one)`;
}

function describeTogether({ together = [], subject }: Receipt): string[] {
  const count = together.length;
  if (count === 0) return [];
  if (subject.kind !== "rule") {
    const changes = count === 1 ? "another change" : `${count} other changes`;
    return [
      `- Compared with the same as-is runs as ${changes}; what was spent is this one's own runs and its part of those`,
    ];
  }
  const others = count === 1 ? "another rule" : `${count} other rules`;
  return [`- Measured with the same runs as ${others}; what was spent is this rule's part of them`];
}

function describeSpent({ driver, spent: { processingTokens, cacheRead, runs, usd } }: Receipt): string {
  const tokens = `${wholeNumber(processingTokens)} new tokens and ${wholeNumber(cacheRead)} read from the cache in ${runs} runs`;
  if (!measuresModel(driver)) return `- Spent: nothing. The recordings have ${tokens}`;
  return `- Spent: ${tokens}; ${usd === null ? "cost unknown" : dollars(usd)}`;
}

function describeSide(
  { label, model, effort, configurationHash, figures }: Receipt["sides"][number],
  { pooled }: Receipt["rounds"],
): string {
  const named = `${name(label.text)}, model ${name(model)}${effort === null ? "" : `, effort ${name(effort)}`}`;
  const means =
    figures === null
      ? "nothing comparable"
      : `on average ${wholeNumber(figures.processingTokens)} new tokens${pooled > 0 ? " over all rounds; in this measurement alone" : ","} ${wholeNumber(figures.cacheRead)} read from the cache, ` +
        `${figures.turns.toFixed(1)} turns, ${(figures.durationMs / 1000).toFixed(0)} s (${figures.runs} runs)`;
  return `${named}; ${means}; configuration ${name(configurationHash.slice(0, 12))}`;
}

function describeTokens({ verdict, sides, together = [] }: Receipt): string[] {
  if (verdict.saving === null || sides[1].figures === null) return [];
  const effects = together.length === 0 ? "" : ", nor by the effects of those measured with it";
  return [
    `- The new tokens differ by what is saved: a figure that is not moved by single runs gone astray${effects}`,
  ];
}

function describeCost({ cost }: Receipt): string[] {
  if (cost === undefined) return [];
  return [
    `- Share of cost saved, at list prices: ${formatPercent(cost.share).text}, of ${dollars(cost.before)} a run`,
  ];
}

function describePassed({ passed, runs, rate }: Receipt["verdict"]["passed"][number]): string {
  return rate === null ? "no run" : `${passed} of ${runs}, ${formatPercent(rate).text}`;
}

function taskRow(task: Receipt["verdict"]["tasks"][number]): string {
  const { taskId, pairs, tokens, saving, passed, runs, regressed } = task;
  const cells = [
    `${name(taskId)}${regressed ? " (regressed)" : ""}`,
    String(pairs),
    tokens === null ? dash : wholeNumber(tokens[0]),
    tokens === null ? dash : wholeNumber(tokens[1]),
    saving === null ? dash : formatTokens(saving).text,
    `${passed[0]} of ${runs[0]}`,
    `${passed[1]} of ${runs[1]}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function name(text: string): string {
  const written = inMarkdown(text, maxNameLength);
  return written === "" ? "(none)" : written;
}

export const verdictNames = {
  saves: sentence("Saves"),
  costs: sentence("Costs"),
  "cheaper-not-as-good": sentence("Cheaper, not shown to be as good"),
  regression: sentence("Regression"),
  undecided: sentence("Undecided"),
} as const;

const subjectNames = {
  rule: "Rule",
  set: "Set",
  comparison: "Comparison",
  ablation: "Left out",
  evolution: "Rewritten",
} as const;
