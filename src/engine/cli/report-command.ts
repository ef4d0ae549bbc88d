import { existsSync } from "node:fs";
import { answer } from "./answer.ts";
import { folder, folderIn, jsonOf, quoted } from "./args.ts";
import { command } from "./command.ts";
import { withRulesReader } from "./rules/rules-access.ts";
import type { ReportJson } from "./rules/rules-schema.ts";
import { styleFor, type Style } from "./style.ts";
import { plural, sentence, t, type Sentence } from "../base/language.ts";
import { fail } from "../base/result.ts";
import { dash } from "../base/format.ts";
import { percent, signedPercent, wholeNumber } from "../base/local-format.ts";
import { agentNames } from "../transcripts/agents.ts";
import { cleanText, cutMiddle } from "../base/text.ts";
import { muchMeasured, type ActiveView, type ReportView } from "../rules/rules-answers.ts";
import { alignColumns, figures, type Column } from "./table.ts";
import { describeTime, asLine } from "./terminal-text.ts";

export const reportCommand = command({
  name: "report",
  title: "runs, golden tasks, rules and learning of each agent, and real work by project",
  words: "[--project DIR] [--json]",
  options: {
    project: folder(
      "only runs in this folder, and what its agents learned there; rules and golden tasks are always those of all projects",
    ),
    json: jsonOf("report"),
  },
  notes: `
Runs are the last 200 completed runs of real work of each agent, without golden tasks. All figures except counts of rules, runs and tasks
are new tokens (input, output and cache writes). Learning compares runs by the version of the agent's memory that they started with; p25
and p75 are percentiles of the same runs. The figures of a golden suite are sums over its tasks: the first completed run of each
(baseline), the best, and the last. What a rule saves is measured per completed run; its cost per session ("rent") is estimated.
`,
  run: ({ options }, host) =>
    withRulesReader("report", host, async (rules) => {
      const read = await rules.report(folderIn(options, "project", host.cwd));
      if (!read.ok) return read;
      const { report } = read.value;
      const missing = missingFolder(report);
      if (missing !== null) return fail("bad_argument", missing);
      const text = () => printReport(report, { style: styleFor(host), now: host.now() });
      return answer<ReportJson>({ schema: 1, report }, text, { options, host });
    }),
});

/** Null for a folder that exists, or has a past. */
export function missingFolder({ project, projects }: ReportView): Sentence | null {
  const isKnown = projects.some((each) => each.project === project);
  return project === null || isKnown || existsSync(project)
    ? null
    : sentence("there is no folder {0}, and no run in it", quoted(project));
}

interface PrintOptions {
  readonly style: Style;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Cells, or characters of a line that is not in a table. */
const [maxNameLength, maxPathLength, maxTextLength] = [40, 60, 120];

export function printReport(report: ReportView, options: PrintOptions): string {
  const { agents, projects, receipts, project } = report;
  const isAnything = agents.length + projects.length + report.questions.count + report.metaCost.benches > 0;
  if (!isAnything) return `${t("No agent has completed a run or has a rule yet.")}\n`;
  const parts = [
    project === null
      ? ""
      : `${t("Runs and learning of {0}", cutMiddle(cleanText(project), maxPathLength))}\n`,
    agentTable(report, options),
    activeTable(report, options),
    suiteTable(report, options),
    learningTable(report, options),
    projectTable(report, options),
    findingLines(report),
    evictionLines(report),
    questionTable(report, options),
    questionLines(report, options),
    `${metaCostLine(report)}\n${plural(receipts, t("1 report of measured rules"), t("{0} reports of measured rules", wholeNumber(receipts)))}\n`,
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function agentTable({ agents }: ReportView, { style }: PrintOptions): string {
  const columns: readonly Column[] = [
    { title: t("Agent"), maxWidth: maxNameLength, fit: "end" },
    ...figures(
      t("Runs"),
      t("Median"),
      "p75",
      t("Active"),
      t("Waiting"),
      t("To measure"),
      t("Cost/session"),
      t("Saves"),
    ),
  ];
  const rows = agents.map((each) => [
    cleanText(agentNames.describe(each)),
    wholeNumber(each.runs),
    numberOr(each.median),
    numberOr(each.p75),
    ...[each.rules.active, each.rules.candidate + each.rules.measured, each.rules.approved].map(String),
    wholeNumber(each.rent),
    wholeNumber(each.saving),
  ]);
  return tableOf(columns, rows, style);
}

function activeTable({ agents }: ReportView, { style, now }: PrintOptions): string {
  const columns: readonly Column[] = [
    { title: t("Active rule"), maxWidth: maxNameLength },
    { title: t("Agent"), maxWidth: maxNameLength, fit: "end" },
    ...figures(t("Saves"), t("Cost/session")),
    { title: t("From"), dropped: 1 },
    { title: t("Since"), dropped: 2 },
    { title: t("Sentence"), maxWidth: maxTextLength, fit: "end", minWidth: 24 },
  ];
  const rows = agents.flatMap(({ agent, active }) =>
    active.map(({ id, text, origin, saving, rent, since }) => [
      cleanText(id),
      cleanText(agent),
      saving === null ? t("not measured") : wholeNumber(saving),
      wholeNumber(rent),
      originNames[origin],
      since === null ? dash : describeTime(since, now),
      cleanText(text),
    ]),
  );
  return tableOf(columns, rows, style);
}

const originNames: Readonly<Record<ActiveView["origin"], string>> = {
  trajectory: t("a costly run"),
  model: t("your agent"),
  hand: t("you"),
  import: t("an imported file"),
};

function suiteTable({ agents }: ReportView, { style, now }: PrintOptions): string {
  const columns: readonly Column[] = [
    { title: t("Golden suite of"), maxWidth: maxNameLength, fit: "end" },
    { title: t("Model"), maxWidth: maxNameLength, fit: "middle" },
    { title: t("Driver"), maxWidth: maxNameLength, dropped: 1 },
    ...figures(t("Tasks"), t("Baseline/run"), t("Best/run"), t("Last/run"), t("vs. baseline")),
    { title: t("When"), dropped: 2 },
  ];
  const rows = agents.flatMap(({ agent, suites }) =>
    suites.map(({ model, driver, tasks, run1, best, last, lastAt }) => [
      cleanText(agent),
      cleanText(model),
      cleanText(driver),
      wholeNumber(tasks),
      wholeNumber(run1),
      wholeNumber(best),
      numberOr(last),
      changeOf(last, run1),
      lastAt === null ? dash : describeTime(lastAt, now),
    ]),
  );
  return tableOf(columns, rows, style);
}

/** Leaves out an agent with an unchanged memory. */
function learningTable({ agents }: ReportView, { style }: PrintOptions): string {
  const columns: readonly Column[] = [
    { title: t("Learning of"), maxWidth: maxNameLength, fit: "end" },
    { title: t("Memory") },
    ...figures(t("Rules"), t("Runs"), t("Mean"), t("Median"), "p25", "p75"),
  ];
  const rows = agents.flatMap(({ agent, program, learned }) =>
    learned.every(({ version }) => version === null)
      ? []
      : learned.map(({ version, rules, runs, mean, median, p25, p75 }) => [
          cleanText(agentNames.describe({ agent, program })),
          version === null ? t("none yet") : name(t("version {0}", version)),
          numberOr(rules),
          ...[runs, mean, median, p25, p75].map(wholeNumber),
        ]),
  );
  return tableOf(columns, rows, style);
}

function projectTable({ projects }: ReportView, { style }: PrintOptions): string {
  return tableOf(
    [{ title: t("Project"), maxWidth: maxPathLength, fit: "middle" }, ...figures(t("Runs"), t("New tokens"))],
    projects.map(({ project, runs, tokens }) => [cleanText(project), wholeNumber(runs), wholeNumber(tokens)]),
    style,
  );
}

function findingLines({ findings }: ReportView): string {
  if (findings.length === 0) return "";
  const lines = findings.flatMap(({ sessionId, tokens, what, missing, ...of }) => [
    `  ${t("{0}, session {1}, {2}: {3}", name(agentNames.describe(of)), name(sessionId), wholeNumber(tokens), what.map(asLine).join("; "))}\n`,
    ...missing.map((each) => `    ${asLine(each.words)}\n`),
    ...(missing.length === 0
      ? [
          `    ${t("Nothing is missing now: {0} proposes rules.", `purser rules distil --session ${cleanText(sessionId)}`)}\n`,
        ]
      : []),
  ]);
  return `${t("Found in expensive runs of agents without rules:")}\n${lines.join("")}`;
}

function evictionLines({ evictions }: ReportView): string {
  if (evictions.length === 0) return "";
  const lines = evictions.map(
    ({ id, agent, text, why }) =>
      `  ${t("{0} of {1}: {2} ({3})", name(id), name(agent), cleanText(text), asLine(why))}\n`,
  );
  return `${t("Removed recently:")}\n${lines.join("")}`;
}

function questionTable({ questions: { byAgent } }: ReportView, { style }: PrintOptions): string {
  return tableOf(
    [
      { title: t("Messages of"), maxWidth: maxNameLength, fit: "end" },
      ...figures(t("Asked"), t("Approved"), t("Denied")),
    ],
    byAgent.map(({ agent, asked, approved, denied }) => [
      cleanText(agent),
      ...[asked, approved, denied].map(wholeNumber),
    ]),
    style,
  );
}

function questionLines({ questions: { count, newest } }: ReportView, { now }: PrintOptions): string {
  if (count === 0) return "";
  const lines = newest.map(({ agent, toAgent, at, body }) => {
    const when = at === null ? "" : `, ${describeTime(at, now)}`;
    const shortBody = cutMiddle(cleanText(body), maxTextLength);
    return `  ${t("{0} to {1}", name(agent), name(toAgent ?? t("unknown")))}${when}: ${shortBody}\n`;
  });
  const head = plural(
    count,
    t("One message between agents is waiting for an answer:"),
    t("{0} messages between agents are waiting for an answer:", count),
  );
  return `${head}\n${lines.join("")}`;
}

function metaCostLine({ metaCost: { realWork, benches, share } }: ReportView): string {
  const took = wholeNumber(benches);
  if (share === null) return t("Benchmarks used {0} new tokens in seven days, with no real work", took);
  const part = share < 1 ? percent(share * 100) : t("{0}%", wholeNumber(share * 100));
  const all = wholeNumber(realWork);
  return share > muchMeasured
    ? t(
        "Benchmarks used {0} new tokens in seven days, {1} of the {2} of real work; more than 10% is a lot for measuring",
        took,
        part,
        all,
      )
    : t("Benchmarks used {0} new tokens in seven days, {1} of the {2} of real work", took, part, all);
}

function tableOf(columns: readonly Column[], rows: readonly (readonly string[])[], style: Style): string {
  return rows.length === 0 ? "" : alignColumns(columns, rows, style);
}

function name(text: string): string {
  return cutMiddle(cleanText(text), maxNameLength);
}

function numberOr(value: number | null): string {
  return value === null ? dash : wholeNumber(value);
}

/** `-12%`. */
function changeOf(value: number | null, reference: number): string {
  if (value === null || reference === 0) return dash;
  return signedPercent(value / reference - 1);
}
