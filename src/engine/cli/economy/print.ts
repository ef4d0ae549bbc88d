import { cleanText } from "../../base/text/text.ts";
import { dollars, percent, shortNumber, wholeNumber } from "../../base/text/format.ts";
import type { EconomyFigures, EconomyReport, EconomyTarget, EconomyView } from "../../economy/answers.ts";
import type { Style } from "../style.ts";
import { alignColumns } from "../table.ts";
import { reasonWords } from "./agent-text.ts";

export function economyText(
  { report, ordinary }: Pick<EconomyView, "report" | "ordinary">,
  style: Style,
): string {
  const from = new Date(report.since).toISOString().slice(0, 10);
  const none = `No agent was woken since ${from}. purser wake AGENT wakes one; purser agent list shows them.\n`;
  const wakes = report.total.wakes === 0 ? none : wakesText(report, style, from);
  return ordinary.length === 0 ? wakes : `${wakes}\n${ordinaryText(ordinary, style)}`;
}

/** Lists how sessions of people are used again, by program. */
function ordinaryText(ordinary: EconomyView["ordinary"], style: Style): string {
  const table = alignColumns(
    [
      { title: "Program" },
      { title: "Sessions", isFigure: true },
      { title: "Came back to", isFigure: true },
      { title: "Input a session", isFigure: true },
      { title: "Cache hits", isFigure: true },
      { title: "Normalized", isFigure: true },
      { title: "As sent", isFigure: true },
    ],
    ordinary.map((each) => [
      cleanText(each.program ?? "unknown"),
      wholeNumber(each.sessions),
      wholeNumber(each.returned),
      tokensText(each.inputPerSession),
      shareText(each.cacheHits),
      tokensText(each.normalizedInput),
      tokensText(each.wholeInput),
    ]),
    style,
  );
  return `${style.bold("Your own sessions")}\n\n${table}`;
}

function wakesText(report: EconomyReport, style: Style, from: string): string {
  const { total, agents, targets } = report;
  return [
    style.bold(`Recurring agents since ${from}`),
    "",
    targetsTable(targets, style),
    agentsTable(report, style),
    figuresText(total),
    ...agents.flatMap(({ agent, versions }) =>
      versions.length < 2
        ? []
        : [
            "",
            style.bold(cleanText(`${agent}, by changes of its file`)),
            versionsTable(versions, style).trimEnd(),
          ],
    ),
    "",
  ].join("\n");
}

const targetWords: Readonly<Record<EconomyTarget["name"], string>> = {
  normalized_input: "Normalized input saved by a reused session",
  reuse: "Timer wakes on the same task that reuse the session",
  full_fetches: "Whole threads not fetched after the first wake",
  completion: "Wakes that succeed, quota and network apart",
};

function targetsTable(targets: readonly EconomyTarget[], style: Style): string {
  return alignColumns(
    [
      { title: "Target", fit: "wrap" },
      { title: "At least", isFigure: true },
      { title: "Actual", isFigure: true },
      { title: "" },
    ],
    targets.map(({ name, wanted, actual, isReached }) => [
      targetWords[name],
      percent(wanted * 100),
      shareText(actual),
      isReached === null ? "unknown" : isReached ? "reached" : "missed",
    ]),
    style,
  );
}

function agentsTable({ agents, total }: EconomyReport, style: Style): string {
  const row = (name: string, figures: EconomyFigures) => [
    name,
    wholeNumber(figures.wakes),
    shareText(figures.reuse),
    tokensText(figures.inputPerFresh),
    tokensText(figures.inputPerReused),
    tokensText(figures.inputPerTask),
    shareText(figures.cacheHits),
    tokensText(figures.normalizedInput),
    tokensText(figures.rawInput),
    figures.usd === null ? "unknown" : dollars(figures.usd),
  ];
  return alignColumns(
    [
      { title: "Agent" },
      { title: "Wakes", isFigure: true },
      { title: "Reused", isFigure: true },
      { title: "New session", isFigure: true },
      { title: "Reused one", isFigure: true },
      { title: "Per task", isFigure: true },
      { title: "Cache hits", isFigure: true },
      { title: "Normalized", isFigure: true },
      { title: "Raw", isFigure: true },
      { title: "Cost", isFigure: true },
    ],
    [
      ...agents.map(({ agent, figures }) => row(cleanText(agent), figures)),
      ...(agents.length > 1 ? [row("all", total)] : []),
    ],
    style,
  );
}

function versionsTable(versions: EconomyReport["agents"][number]["versions"], style: Style): string {
  return alignColumns(
    [
      { title: "Since" },
      { title: "File" },
      { title: "Wakes", isFigure: true },
      { title: "Input a wake", isFigure: true },
      { title: "Prompt", isFigure: true },
      { title: "Skills", isFigure: true },
      { title: "Succeeded", isFigure: true },
    ],
    versions.map(({ definition, since, figures }) => [
      new Date(since).toISOString().slice(0, 16).replace("T", " "),
      definition?.slice(0, 8) ?? "unknown",
      wholeNumber(figures.wakes),
      tokensText(figures.inputPerWake),
      figures.promptChars === null ? "unknown" : `${wholeNumber(figures.promptChars)} chars`,
      figures.skillBytes === null ? "unknown" : `${wholeNumber(figures.skillBytes)} bytes`,
      wholeNumber(figures.successful),
    ]),
    style,
  );
}

function figuresText({ reasons, reuseBySource, guardrails, fullFetches }: EconomyFigures): string {
  const facts = [
    ["completed tasks", guardrails.completedTasks],
    ["reopened", guardrails.reopened],
    ["blocked", guardrails.blocked],
    ["failed", guardrails.failed],
    ["stopped at a limit", guardrails.limited],
    ["interrupted", guardrails.interrupted],
    ["quota or network", guardrails.environment],
    ["failed resumes", guardrails.failedResumes],
    ["by hand", guardrails.manual],
  ] as const;
  return [
    `Sessions: ${reasons.map(({ reason, wakes }) => `${reasonWords[reason]} ${wholeNumber(wakes)}`).join(", ")}`,
    `Reused by source: ${reuseBySource.map(({ source, reuse, wakes }) => `${source} ${shareText(reuse)} of ${wholeNumber(wakes)}`).join(", ")}`,
    `Whole threads for each later wake: ${fullFetches === null ? "unknown" : fullFetches.toFixed(2)}`,
    `Wakes: ${facts.map(([name, value]) => `${name} ${wholeNumber(value)}`).join(", ")}`,
  ].join("\n");
}

function shareText(share: number | null): string {
  return share === null ? "unknown" : percent(share * 100);
}

function tokensText(tokens: number | null): string {
  return tokens === null ? "unknown" : shortNumber(tokens);
}
