import { confidenceLevel } from "../../base/confidence.ts";
import { utcMinute } from "../terminal-text.ts";
import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";
import {
  economyReport,
  economyView,
  type EconomyFigures,
  type EconomyReport,
  type EconomyTarget,
  type EconomyView,
  type GuardrailName,
  type GuardrailResult,
  type GuardrailChange,
  type GuardrailRate,
} from "../../recurring/recurring-answers.ts";
import { economyViewOf, economyReportOf, projectOf } from "../../recurring/agents.ts";
import { answer } from "../answer.ts";
import { folder, jsonOf } from "../args.ts";
import { command } from "../command.ts";
import { dayForms, dayOption, startIn } from "../day-argument.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import type { CommandInput, Done } from "../declaration.ts";
import { styleFor, type Style } from "../style.ts";
import { t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import {
  dollars,
  percent,
  shortNumber,
  wholeNumber,
  decimalNumber,
  signedNumber,
} from "../../base/local-format.ts";
import { alignColumns, figures } from "../table.ts";
import { reasonWords } from "./agent-text.ts";

/** In the person's language; null without wakes. */
function rateWords({ wakes, of, rate }: GuardrailRate): string | null {
  if (rate === null) return null;
  const inWords = (share: number) => percent(share * 100);
  return t(
    "{0} ({1} to {2}; {3} of {4})",
    inWords(rate.value),
    inWords(rate.low),
    inWords(rate.high),
    wholeNumber(wakes),
    wholeNumber(of),
  );
}

/** In percentage points; null if unknown. */
function differenceWords(difference: GuardrailChange["difference"]): string | null {
  if (difference === null) return null;
  const { value, low, high } = difference;
  return t("{0} points ({1} to {2})", points(value), points(low), points(high));
}

function points(share: number): string {
  return signedNumber(Math.round(share * 100));
}

export const economyCommand = command({
  name: "economy",
  title:
    "what recurring agents cost, and whether their sessions, contexts and prompts are as cheap as they can be",
  words: "[--project DIR] [--since D]",
  options: {
    project: folder("only the agents of this project (default: all)"),
    since: dayOption("D", `${dayForms} (default: 30d)`),
    json: jsonOf("economy"),
  },
  notes: `
Normalized input weighs each response's input, cache writes and cache reads by their price, in tokens of plain input; raw input is what the programs
printed. Figures come from the records of wakes: purser run writes them. Sessions of people are counted from transcripts.
`,
  run,
});

export const economyJson = z.object({
  schema: z.literal(1),
  ...economyReport.shape,
  ordinary: described(economyView.shape.ordinary, "Sessions of people, by program."),
});

async function run({ options }: CommandInput, host: CliHost): Promise<Done> {
  const since = startIn(options, "30d", host.now());
  const folder = options.value("project");
  const project = folder === undefined ? null : projectOf(folder);
  const read = await readLedger(host, (ledger) =>
    economyViewOf((name, query) => ledger.ask(name, query), { since, project }),
  );
  if (!read.ok) return read;
  const { report, ordinary } = read.value ?? { report: economyReportOf([], since), ordinary: [] };
  return answer<z.infer<typeof economyJson>>(
    { schema: 1, ...report, ordinary },
    () => economyText({ report, ordinary }, styleFor(host)),
    { options, host },
  );
}

const names: Readonly<Record<GuardrailName, string>> = {
  completion: t("Wakes that succeed"),
  blocked: t("Wakes that leave their task blocked"),
  failed_resumes: t("Resumes that fail"),
};

const results: Readonly<Record<GuardrailResult, string>> = {
  worse: t("got worse"),
  no_worse: t("no worse"),
  too_few: t("too few wakes to say"),
};

/** Newest change of an agent's file first. */
function guardrailsTable(versions: EconomyReport["agents"][number]["versions"], style: Style): string {
  const table = alignColumns(
    [
      { title: t("Since") },
      { title: t("Guardrail"), fit: "wrap" },
      ...figures(t("Before"), t("After"), t("Change")),
      { title: t("Result"), fit: "wrap" },
    ],
    versions.flatMap(({ since, guardrailChanges }) =>
      guardrailChanges.map(({ name, before, after, difference, result }) => [
        utcMinute(since),
        names[name],
        rateWords(before) ?? t("no wakes"),
        rateWords(after) ?? t("no wakes"),
        differenceWords(difference) ?? t("unknown"),
        results[result],
      ]),
    ),
    style,
  );
  const note = t(
    "Ranges hold with {0} confidence. Worse: an exact test finds it so. No worse: the range excludes a loss of ten points.",
    percent(100 * confidenceLevel),
  );
  return `${table}${style.dim(note)}`;
}

function guardrailRatesText({ guardrailRates }: EconomyFigures): string[] {
  return guardrailRates.map((each) => `${names[each.name]}: ${rateWords(each) ?? t("no wakes")}`);
}

export function economyText(
  { report, ordinary }: Pick<EconomyView, "report" | "ordinary">,
  style: Style,
): string {
  const from = new Date(report.since).toISOString().slice(0, 10);
  const none = `${t("No agent was woken since {0}. purser run AGENT wakes one; purser agent list shows them.", from)}\n`;
  const wakes = report.total.wakes === 0 ? none : wakesText(report, style, from);
  return ordinary.length === 0 ? wakes : `${wakes}\n${ordinaryText(ordinary, style)}`;
}

function ordinaryText(ordinary: EconomyView["ordinary"], style: Style): string {
  const table = alignColumns(
    [
      { title: t("Program") },
      ...figures(
        t("Sessions"),
        t("Came back to"),
        t("Input a session"),
        t("Cache hits"),
        t("Normalized"),
        t("As sent"),
      ),
    ],
    ordinary.map((each) => [
      cleanText(each.program ?? t("unknown")),
      wholeNumber(each.sessions),
      wholeNumber(each.returned),
      tokensText(each.inputPerSession),
      shareText(each.cacheHits),
      tokensText(each.normalizedInput),
      tokensText(each.wholeInput),
    ]),
    style,
  );
  return `${style.bold(t("Your own sessions"))}\n\n${table}`;
}

function wakesText(report: EconomyReport, style: Style, from: string): string {
  const { total, agents, targets } = report;
  return [
    style.bold(t("Recurring agents since {0}", from)),
    "",
    targetsTable(targets, style),
    agentsTable(report, style),
    figuresText(total),
    ...agents.flatMap(({ agent, versions }) =>
      versions.length < 2
        ? []
        : [
            "",
            style.bold(cleanText(t("{0}, by changes of its file", agent))),
            versionsTable(versions, style).trimEnd(),
            "",
            guardrailsTable(versions, style).trimEnd(),
          ],
    ),
    "",
  ].join("\n");
}

const targetWords: Readonly<Record<EconomyTarget["name"], string>> = {
  normalized_input: t("Normalized input saved by a reused session"),
  reuse: t("Timer wakes on the same task that reuse the session"),
  full_fetches: t("Whole threads not fetched after the first wake"),
  completion: t("Wakes that succeed after the newest change, quota and network apart"),
};

function targetsTable(targets: readonly EconomyTarget[], style: Style): string {
  return alignColumns(
    [{ title: t("Target"), fit: "wrap" }, ...figures(t("At least"), t("Actual")), { title: "" }],
    targets.map(({ name, wanted, actual, isReached, change }) => [
      targetWords[name],
      change !== null
        ? (rateWords(change.before) ?? t("as before"))
        : name === "completion"
          ? t("as before")
          : percent(wanted * 100),
      (change === null ? null : rateWords(change.after)) ?? shareText(actual),
      isReached === null ? t("unknown") : isReached ? t("reached") : t("missed"),
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
    figures.usd === null ? t("unknown") : `${figures.unpriced > 0 ? "≥ " : ""}${dollars(figures.usd)}`,
  ];
  return alignColumns(
    [
      { title: t("Agent") },
      ...figures(
        t("Wakes"),
        t("Reused"),
        t("New session"),
        t("Reused one"),
        t("Per task"),
        t("Cache hits"),
        t("Normalized"),
        t("Raw"),
        t("Cost"),
      ),
    ],
    [
      ...agents.map(({ agent, figures }) => row(cleanText(agent), figures)),
      ...(agents.length > 1 ? [row(t("all"), total)] : []),
    ],
    style,
  );
}

function versionsTable(versions: EconomyReport["agents"][number]["versions"], style: Style): string {
  return alignColumns(
    [
      { title: t("Since") },
      { title: t("File") },
      ...figures(t("Wakes"), t("Input a wake"), t("Prompt"), t("Skills"), t("Succeeded")),
    ],
    versions.map(({ definition, since, figures }) => [
      utcMinute(since),
      definition?.slice(0, 8) ?? t("unknown"),
      wholeNumber(figures.wakes),
      tokensText(figures.inputPerWake),
      figures.promptChars === null ? t("unknown") : t("{0} chars", wholeNumber(figures.promptChars)),
      figures.skillBytes === null ? t("unknown") : t("{0} bytes", wholeNumber(figures.skillBytes)),
      wholeNumber(figures.successful),
    ]),
    style,
  );
}

function figuresText(figures: EconomyFigures): string {
  const { reasons, reuseBySource, guardrails, fullFetches } = figures;
  const facts = [
    [t("completed tasks"), guardrails.completedTasks],
    [t("reopened"), guardrails.reopened],
    [t("blocked"), guardrails.blocked],
    [t("failed"), guardrails.failed],
    [t("stopped at a limit"), guardrails.limited],
    [t("interrupted"), guardrails.interrupted],
    [t("quota or network"), guardrails.environment],
    [t("failed resumes"), guardrails.failedResumes],
    [t("by hand"), guardrails.manual],
  ] as const;
  return [
    t(
      "Sessions: {0}",
      reasons.map(({ reason, wakes }) => `${reasonWords[reason]} ${wholeNumber(wakes)}`).join(", "),
    ),
    t(
      "Reused by source: {0}",
      reuseBySource
        .map(({ source, reuse, wakes }) => t("{0} {1} of {2}", source, shareText(reuse), wholeNumber(wakes)))
        .join(", "),
    ),
    t(
      "Whole threads for each later wake: {0}",
      fullFetches === null ? t("unknown") : decimalNumber(fullFetches, 2),
    ),
    t("Wakes: {0}", facts.map(([name, value]) => `${name} ${wholeNumber(value)}`).join(", ")),
    ...guardrailRatesText(figures),
  ].join("\n");
}

function shareText(share: number | null): string {
  return share === null ? t("unknown") : percent(share * 100);
}

function tokensText(tokens: number | null): string {
  return tokens === null ? t("unknown") : shortNumber(tokens);
}
