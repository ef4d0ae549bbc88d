import { dash, percent, signedPercent, wholeNumber } from "../../base/text/format.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { cleanText, cutMiddle } from "../../base/text/text.ts";
import { muchMeasured, type ActiveView, type ReportView } from "../../rules/answers.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import { describeTime } from "../describe-time.ts";

interface PrintOptions {
  readonly style: Style;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Cells, or characters of a line that is not in a table. */
const [longestName, longestPath, longestText] = [40, 60, 120];

/** Keeps each name and text within one line, whatever it contains: none of them can add a line. */
export function printReport(report: ReportView, options: PrintOptions): string {
  const { agents, projects, receipts, project } = report;
  const isAnything = agents.length + projects.length + report.questions.count + report.metaCost.benches > 0;
  if (!isAnything) return "No agent has completed a run or has a rule yet.\n";
  const parts = [
    project === null ? "" : `Runs and learning of ${cutMiddle(cleanText(project), longestPath)}\n`,
    agentTable(report, options),
    activeTable(report, options),
    suiteTable(report, options),
    learningTable(report, options),
    projectTable(report, options),
    findingLines(report),
    evictionLines(report),
    questionTable(report, options),
    questionLines(report, options),
    `${metaCostLine(report)}\n${wholeNumber(receipts)} ${receipts === 1 ? "report" : "reports"} of measured rules\n`,
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function agentTable({ agents }: ReportView, { style }: PrintOptions): string {
  const columns: readonly Column[] = [
    { title: "Agent", most: longestName, fit: "end" },
    figure("Runs"),
    figure("Median"),
    figure("p75"),
    figure("Active"),
    figure("Waiting"),
    figure("To measure"),
    figure("Cost/session"),
    figure("Saves"),
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

/** Each rule in an agent's memory: what it saves, what it costs, and where it came from. */
function activeTable({ agents }: ReportView, { style, now }: PrintOptions): string {
  const columns: readonly Column[] = [
    { title: "Active rule", most: longestName },
    { title: "Agent", most: longestName, fit: "end" },
    figure("Saves"),
    figure("Cost/session"),
    { title: "From", dropped: 1 },
    { title: "Since", dropped: 2 },
    { title: "Sentence", most: longestText, fit: "end", least: 24 },
  ];
  const rows = agents.flatMap(({ agent, active }) =>
    active.map(({ id, text, origin, saving, rent, since }) => [
      cleanText(id),
      cleanText(agent),
      saving === null ? "not measured" : wholeNumber(saving),
      wholeNumber(rent),
      originNames[origin],
      since === null ? dash : describeTime(since, now),
      cleanText(text),
    ]),
  );
  return tableOf(columns, rows, style);
}

const originNames: Readonly<Record<ActiveView["origin"], string>> = {
  trajectory: "a run",
  model: "your agent",
  hand: "you",
  import: "a file",
};

function suiteTable({ agents }: ReportView, { style, now }: PrintOptions): string {
  const columns: readonly Column[] = [
    { title: "Golden suite of", most: longestName, fit: "end" },
    { title: "Model", most: longestName, fit: "middle" },
    { title: "Driver", most: longestName, dropped: 1 },
    figure("Tasks"),
    figure("Baseline/run"),
    figure("Best/run"),
    figure("Last/run"),
    figure("vs. baseline"),
    { title: "When", dropped: 2 },
  ];
  const rows = agents.flatMap(({ agent, suites }) =>
    suites.map(({ model, driver, tasks, run1, best, last, lastAt }) => [
      cleanText(agent),
      cleanText(model),
      cleanText(driver),
      wholeNumber(tasks),
      wholeNumber(run1 / tasks),
      wholeNumber(best / tasks),
      numberOr(last === null ? null : last / tasks),
      changeOf(last, run1),
      lastAt === null ? dash : describeTime(lastAt, now),
    ]),
  );
  return tableOf(columns, rows, style);
}

/** Leaves out an agent whose memory never changed: it has nothing to compare. */
function learningTable({ agents }: ReportView, { style }: PrintOptions): string {
  const columns: readonly Column[] = [
    { title: "Learning of", most: longestName, fit: "end" },
    { title: "Memory" },
    figure("Rules"),
    figure("Runs"),
    figure("Mean"),
    figure("Median"),
    figure("p25"),
    figure("p75"),
  ];
  const rows = agents.flatMap(({ agent, program, learned }) =>
    learned.every(({ version }) => version === null)
      ? []
      : learned.map(({ version, rules, runs, mean, median, p25, p75 }) => [
          cleanText(agentNames.describe({ agent, program })),
          version === null ? "none yet" : name(`version ${version}`),
          numberOr(rules),
          ...[runs, mean, median, p25, p75].map(wholeNumber),
        ]),
  );
  return tableOf(columns, rows, style);
}

function projectTable({ projects }: ReportView, { style }: PrintOptions): string {
  return tableOf(
    [{ title: "Project", most: longestPath, fit: "middle" }, figure("Runs"), figure("New tokens")],
    projects.map(({ project, runs, tokens }) => [cleanText(project), wholeNumber(runs), wholeNumber(tokens)]),
    style,
  );
}

/** Lists what costly runs showed where no rule can come of it yet, and what is missing for one. */
function findingLines({ findings }: ReportView): string {
  if (findings.length === 0) return "";
  const lines = findings.flatMap(({ sessionId, tokens, what, missing, ...of }) => [
    `  ${name(agentNames.describe(of))}, session ${name(sessionId)}, ${wholeNumber(tokens)}: ${cleanText(what.join("; "))}\n`,
    ...missing.map((each) => `    ${cleanText(each.words)}\n`),
    ...(missing.length === 0
      ? [
          `    Nothing is missing now: purser rules distil --session ${cleanText(sessionId)} proposes rules.\n`,
        ]
      : []),
  ]);
  return `Found in expensive runs of agents without rules:\n${lines.join("")}`;
}

function evictionLines({ evictions }: ReportView): string {
  if (evictions.length === 0) return "";
  const lines = evictions.map(
    ({ id, agent, text, why }) => `  ${name(id)} of ${name(agent)}: ${cleanText(text)} (${cleanText(why)})\n`,
  );
  return `Removed recently:\n${lines.join("")}`;
}

function questionTable({ questions: { byAgent } }: ReportView, { style }: PrintOptions): string {
  return tableOf(
    [
      { title: "Messages of", most: longestName, fit: "end" },
      figure("Asked"),
      figure("Approved"),
      figure("Denied"),
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
    return `  ${name(agent)} to ${name(toAgent ?? "unknown")}${when}: ${cutMiddle(cleanText(body), longestText)}\n`;
  });
  const head =
    count === 1 ? "One message between agents is waiting" : `${count} messages between agents are waiting`;
  return `${head} for an answer:\n${lines.join("")}`;
}

function metaCostLine({ metaCost: { realWork, benches, share } }: ReportView): string {
  const took = `Benchmarks used ${wholeNumber(benches)} new tokens in seven days`;
  if (share === null) return `${took}, with no real work`;
  const part = share < 1 ? percent(share * 100) : `${wholeNumber(share * 100)}%`;
  const warning = share > muchMeasured ? "; more than 10% is a lot for measuring" : "";
  return `${took}, ${part} of the ${wholeNumber(realWork)} of real work${warning}`;
}

function tableOf(columns: readonly Column[], rows: readonly (readonly string[])[], style: Style): string {
  return rows.length === 0 ? "" : alignColumns(columns, rows, style);
}

function figure(title: string): Column {
  return { title, isFigure: true };
}

function name(text: string): string {
  return cutMiddle(cleanText(text), longestName);
}

function numberOr(value: number | null): string {
  return value === null ? dash : wholeNumber(value);
}

/** `-12%`. */
function changeOf(value: number | null, reference: number): string {
  if (value === null || reference === 0) return dash;
  return signedPercent(value / reference - 1);
}
