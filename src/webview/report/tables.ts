import { dataTable } from "../components/table/table.ts";
import { html, type TemplateResult, svg } from "lit";
import { t } from "../../engine/base/language.ts";
import type { ReportView } from "../../engine/rules/rules-answers.ts";
import { agentNames } from "../components/page-agents.ts";
import {
  absentCell,
  link,
  numberCell,
  shareCell,
  textCell,
  timeCell,
  column,
  extra,
  numberColumn,
} from "../components/table/table-cells.ts";
import { outside, outsidePath, shortPaths } from "../components/outside.ts";
import { sum } from "../components/charts/series.ts";
import type { Heading } from "../components/table/table.ts";
import type { Cell } from "../components/table/table-rows.ts";
import type { RenderContext } from "./report-model.ts";
import { originNames } from "../rules/describe-rules.ts";
import { describeChange } from "./describe-report.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { shortDay } from "../components/times.ts";

type Agent = Pick<ReportView["agents"][number], "weeks" | "learned">;

const [width, height, inset] = [110, 22, 3];
const week = 7 * 24 * 60 * 60_000;

/** Draws the median of an agent's runs by week as a line from zero, with a tick where a version of its rules began. */
function trendCell({ weeks, learned }: Agent): Cell {
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (first === undefined || last === undefined || weeks.length < 2)
    return absentCell(t("Needs runs in two weeks"));
  const largest = Math.max(...weeks.map(({ median }) => median), 1);
  const span = Math.max(week, last.at - first.at);
  const x = (at: number) => inset + ((width - 2 * inset) * (at - first.at)) / span;
  const y = (median: number) => height - inset - ((height - 2 * inset) * median) / largest;
  const points = weeks.map(({ at, median }) => `${x(at).toFixed(1)} ${y(median).toFixed(1)}`);
  const versions = learned.flatMap(({ version, at }) =>
    version === null || at === null || at < first.at || at > last.at + week ? [] : [{ version, at }],
  );
  const content = (): TemplateResult =>
    html`<svg class="spark" role="img" width=${width} height=${height}>
      <title>${spoken(weeks, versions)}</title>
      ${svg`${versions.map(({ at }) => {
        const across = Math.min(width - inset, x(at)).toFixed(1);
        return svg`<line class="version" x1=${across} x2=${across} y1="0" y2=${height} />`;
      })}
      <path class="line" d="M${points.join("L")}" />
      <circle class="end" cx=${x(last.at).toFixed(1)} cy=${y(last.median).toFixed(1)} r="2.5" />`}
    </svg>`;
  return { content, sort: last.median / Math.max(1, first.median) };
}

function spoken(weeks: Agent["weeks"], versions: readonly { version: string; at: number }[]): string {
  const medians = weeks.map(({ at, median }) => `${shortDay(new Date(at))} ${wholeNumber(median)}`);
  const rules = versions.map(({ version, at }) => t("version {0} on {1}", version, shortDay(new Date(at))));
  return rules.length === 0
    ? t("Median tokens a run by week: {0}", medians.join(", "))
    : t("Median tokens a run by week: {0}; rules: {1}", medians.join(", "), rules.join(", "));
}

/** Maximum lengths of a path and of a rule's sentence. Characters. */
const [maxPathLength, maxRuleLength] = [60, 160];

type ReportedAgent = ReportView["agents"][number];

interface FigureColumn {
  readonly heading: Heading;
  readonly of: (agent: ReportedAgent) => number | null;
  readonly isAlways?: boolean;
}

const figureColumns: readonly FigureColumn[] = [
  { heading: numberColumn(t("Runs")), of: ({ runs }) => runs, isAlways: true },
  {
    heading: numberColumn(t("Median"), t("New tokens of a completed run")),
    of: ({ median }) => median,
    isAlways: true,
  },
  {
    heading: extra(numberColumn("p75", t("Three of four runs took no more"))),
    of: ({ p75 }) => p75,
    isAlways: true,
  },
  { heading: numberColumn(t("Active rules")), of: ({ rules }) => rules.active },
  {
    heading: extra(numberColumn(t("Waiting"), t("Rules that wait for you"))),
    of: ({ rules }) => rules.candidate + rules.measured,
  },
  {
    heading: extra(numberColumn(t("To measure"), t("Rules that are approved for measuring"))),
    of: ({ rules }) => rules.approved,
  },
  {
    heading: extra(
      numberColumn(t("Cost per session"), t("Tokens that its active rules cost in each session, estimated")),
    ),
    of: ({ rent }) => rent,
  },
  {
    heading: numberColumn(t("Saves"), t("Tokens per completed run that active rules were measured to save")),
    of: ({ saving }) => saving,
  },
];

/** Lists agents with their runs and rules. */
export function agentTable({ agents }: ReportView): TemplateResult {
  // A column of zeros is not informative.
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
    column(t("Agent")),
    ...columns.map(({ heading }) => heading),
    extra(
      column(t("By week"), t("Median new tokens a run, from zero. A line marks a new version of its rules")),
    ),
  ];
  return dataTable({ label: t("Agents"), headings, rows, most: 12 });
}

/** Lists the rules in agents' memories with each one's saving, rent and origin. */
export function activeTable({ actions, now }: RenderContext, { agents }: ReportView): TemplateResult {
  const rows = agents.flatMap(({ agent, active }) =>
    active.map(({ id, text, origin, saving, rent, since }) => ({
      key: id,
      cells: [
        {
          content: () => link(outside(text, maxRuleLength), () => actions.post({ type: "review", id })),
          sort: text,
        },
        textCell(agent),
        saving === null ? textCell(null, t("not measured")) : numberCell(saving),
        numberCell(rent),
        textCell(originNames[origin]),
        since === null ? absentCell(t("Never")) : timeCell(since, now),
      ],
    })),
  );
  const headings = [
    column(t("Rule")),
    column(t("Agent")),
    numberColumn(t("Saves"), t("Tokens per completed run, as it was measured")),
    extra(numberColumn(t("Cost per session"), t("Tokens of each session (its rent), estimated"))),
    extra(column(t("Origin"))),
    extra(numberColumn(t("Since"))),
  ];
  return dataTable({ label: t("Active rules"), headings, rows, most: 12 });
}

/** Counts the messages each agent wanted to send, by the decision about them. */
export function questionTable(byAgent: ReportView["questions"]["byAgent"]): TemplateResult {
  const rows = byAgent.map(({ agent, asked, approved, denied }) => ({
    key: agent,
    cells: [textCell(agent), numberCell(asked), numberCell(approved), numberCell(denied)],
  }));
  const headings = [
    column(t("Agent")),
    numberColumn(t("Asked"), t("Messages to other agents")),
    numberColumn(t("Approved")),
    numberColumn(t("Denied")),
  ];
  return dataTable({ label: t("Questions by agent"), headings, rows, most: 12 });
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
        numberCell(Math.round(run1)),
        numberCell(Math.round(best)),
        figureCell(last === null ? null : Math.round(last)),
        last === null || run1 === 0
          ? absentCell(t("None"))
          : { content: () => describeChange(last, run1), sort: last / run1 },
        lastAt === null ? absentCell(t("Never")) : timeCell(lastAt, now),
      ],
    })),
  );
  const headings = [
    column(t("Agent")),
    column(t("Model")),
    extra(column(t("Run with"))),
    extra(numberColumn(t("Tasks"))),
    numberColumn(
      t("Baseline, tokens a run"),
      t("The first completed run of each task, which never changes. Tasks count by their weight"),
    ),
    extra(numberColumn(t("Best"), t("The least that a completed run ever took"))),
    extra(numberColumn(t("Last"), t("The last completed run of each task"))),
    numberColumn(t("Vs. baseline"), t("What the last takes more or less than the baseline")),
    extra(numberColumn(t("When"))),
  ];
  return dataTable({ label: t("Golden suites"), headings, rows, most: 12 });
}

/** Shows a dash for null, which here does not mean unknown. */
function figureCell(value: number | null): Cell {
  return value === null ? absentCell(t("None")) : numberCell(value);
}

export function projectTable({ projects }: ReportView): TemplateResult {
  const names = shortPaths(projects.map(({ project }) => project));
  const whole = sum(projects.map(({ tokens }) => tokens));
  const rows = projects.map(({ project, runs, tokens }) => ({
    key: project,
    cells: [
      { content: () => outsidePath(project, names.get(project) ?? project, maxPathLength), sort: project },
      shareCell(tokens, whole),
      numberCell(tokens),
      numberCell(runs),
    ],
  }));
  const headings = [
    column(t("Project")),
    column(t("Share")),
    numberColumn(t("New tokens")),
    extra(numberColumn(t("Runs"))),
  ];
  return dataTable({ label: t("Real work by project"), headings, rows });
}
