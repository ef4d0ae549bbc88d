import { html, type TemplateResult } from "lit";
import type { ReportView } from "../../engine/rules/answers.ts";
import { agentNames } from "../components/page-agents.ts";
import { absentCell, link, numberCell, shareCell, textCell, timeCell } from "../components/table/cells.ts";
import { outside, outsidePath } from "../components/outside.ts";
import { shortPaths } from "../components/charts/paths.ts";
import { sum } from "../components/charts/series.ts";
import type { Heading } from "../components/table/table.ts";
import { trendCell } from "./trend.ts";
import type { Cell } from "../components/table/rows.ts";
import type { RenderContext } from "./actions.ts";
import { originNames } from "../rules/describe.ts";
import { describeChange } from "./describe.ts";

/** Longest rule sentence shown in full. Characters. */
const [longestPath, longestRule] = [60, 160];

type ReportedAgent = ReportView["agents"][number];

interface FigureColumn {
  readonly heading: Heading;
  readonly of: (agent: ReportedAgent) => number | null;
  readonly isAlways?: boolean;
}

const figureColumns: readonly FigureColumn[] = [
  { heading: { text: "Runs", isNumber: true }, of: ({ runs }) => runs, isAlways: true },
  {
    heading: { text: "Median", isNumber: true, title: "New tokens of a completed run" },
    of: ({ median }) => median,
    isAlways: true,
  },
  {
    heading: { text: "p75", isNumber: true, isExtra: true, title: "Three of four runs took no more" },
    of: ({ p75 }) => p75,
    isAlways: true,
  },
  { heading: { text: "Active rules", isNumber: true }, of: ({ rules }) => rules.active },
  {
    heading: { text: "Waiting", isNumber: true, isExtra: true, title: "Rules that wait for you" },
    of: ({ rules }) => rules.candidate + rules.measured,
  },
  {
    heading: {
      text: "To measure",
      isNumber: true,
      isExtra: true,
      title: "Rules that are approved for measuring",
    },
    of: ({ rules }) => rules.approved,
  },
  {
    heading: {
      text: "Cost per session",
      isNumber: true,
      isExtra: true,
      title: "Tokens that its active rules cost in each session, estimated",
    },
    of: ({ rent }) => rent,
  },
  {
    heading: {
      text: "Saves",
      isNumber: true,
      title: "Tokens per completed run that active rules were measured to save",
    },
    of: ({ saving }) => saving,
  },
];

/** Lists agents with their runs and rules. */
export function agentTable({ agents }: ReportView): TemplateResult {
  // A column of zeros says nothing.
  const columns = figureColumns.filter(
    ({ isAlways, of }) => isAlways === true || agents.some((agent) => (of(agent) ?? 0) !== 0),
  );
  const rows = agents.map((each) => ({
    key: JSON.stringify([each.program, each.agent]),
    cells: [
      textCell(agentNames.describe(each)),
      ...columns.map(({ of }) => figureCell(of(each))),
      trendCell(each),
    ],
  }));
  const headings = [
    { text: "Agent" },
    ...columns.map(({ heading }) => heading),
    {
      text: "By week",
      isExtra: true,
      title: "Median new tokens a run, from zero. A line marks a new version of its rules",
    },
  ];
  return html`<purser-table label="Agents" .headings=${headings} .rows=${rows} most="12"></purser-table>`;
}

/** Lists the rules in agents' memories with each one's saving, rent and origin. */
export function activeTable({ actions, now }: RenderContext, { agents }: ReportView): TemplateResult {
  const rows = agents.flatMap(({ agent, active }) =>
    active.map(({ id, text, origin, saving, rent, since }) => ({
      key: id,
      cells: [
        {
          content: () => link(outside(text, longestRule), () => actions.post({ type: "review", id })),
          sort: text,
        },
        textCell(agent),
        saving === null ? textCell(null, "not measured") : numberCell(saving),
        numberCell(rent),
        textCell(originNames[origin]),
        since === null ? absentCell("Never") : timeCell(since, now),
      ],
    })),
  );
  const headings = [
    { text: "Rule" },
    { text: "Agent" },
    { text: "Saves", isNumber: true, title: "Tokens per completed run, as it was measured" },
    {
      text: "Cost per session",
      isNumber: true,
      isExtra: true,
      title: "Tokens of each session (its rent), estimated",
    },
    { text: "Origin", isExtra: true },
    { text: "Since", isNumber: true, isExtra: true },
  ];
  return html`<purser-table
    label="Active rules"
    .headings=${headings}
    .rows=${rows}
    most="12"
  ></purser-table>`;
}

/** Counts the messages each agent wanted to send, by the decision about them. */
export function questionTable(byAgent: ReportView["questions"]["byAgent"]): TemplateResult {
  const rows = byAgent.map(({ agent, asked, approved, denied }) => ({
    key: agent,
    cells: [textCell(agent), numberCell(asked), numberCell(approved), numberCell(denied)],
  }));
  const headings = [
    { text: "Agent" },
    { text: "Asked", isNumber: true, title: "Messages to other agents" },
    { text: "Approved", isNumber: true },
    { text: "Denied", isNumber: true },
  ];
  return html`<purser-table
    label="Questions by agent"
    .headings=${headings}
    .rows=${rows}
    most="12"
  ></purser-table>`;
}

/** Compares what golden tasks use together with the frozen baseline. */
export function suiteTable({ now }: RenderContext, { agents }: ReportView): TemplateResult {
  const rows = agents.flatMap(({ agent, suites }) =>
    suites.map(({ model, suiteHash, driver, tasks, run1, best, last, lastAt }) => ({
      key: JSON.stringify([agent, model, suiteHash, driver]),
      cells: [
        textCell(agent),
        textCell(model),
        textCell(driver),
        numberCell(tasks),
        numberCell(run1 / tasks),
        numberCell(best / tasks),
        figureCell(last === null ? null : last / tasks),
        last === null || run1 === 0
          ? absentCell("None")
          : { content: () => describeChange(last, run1), sort: last / run1 },
        lastAt === null ? absentCell("Never") : timeCell(lastAt, now),
      ],
    })),
  );
  const headings = [
    { text: "Agent" },
    { text: "Model" },
    { text: "Run with", isExtra: true },
    { text: "Tasks", isNumber: true, isExtra: true },
    {
      text: "Baseline, tokens a run",
      isNumber: true,
      title: "The first completed run of each task, which never changes. All tasks count alike here",
    },
    { text: "Best", isNumber: true, isExtra: true, title: "The least that a completed run ever took" },
    { text: "Last", isNumber: true, isExtra: true, title: "The last completed run of each task" },
    { text: "Vs. baseline", isNumber: true, title: "What the last takes more or less than the baseline" },
    { text: "When", isNumber: true, isExtra: true },
  ];
  return html`<purser-table
    label="Golden suites"
    .headings=${headings}
    .rows=${rows}
    most="12"
  ></purser-table>`;
}

/** Shows a dash for null, which here does not mean unknown. */
function figureCell(value: number | null): Cell {
  return value === null ? absentCell("None") : numberCell(value);
}

export function projectTable({ projects }: ReportView): TemplateResult {
  const names = shortPaths(projects.map(({ project }) => project));
  const whole = sum(projects.map(({ tokens }) => tokens));
  const rows = projects.map(({ project, runs, tokens }) => ({
    key: project,
    cells: [
      { content: () => outsidePath(project, names.get(project) ?? project, longestPath), sort: project },
      shareCell(tokens, whole),
      numberCell(tokens),
      numberCell(runs),
    ],
  }));
  const headings = [
    { text: "Project" },
    { text: "Share" },
    { text: "New tokens", isNumber: true },
    { text: "Runs", isNumber: true, isExtra: true },
  ];
  return html`<purser-table label="Real work by project" .headings=${headings} .rows=${rows}></purser-table>`;
}
