import { dataTable, type Heading } from "../components/table/table.ts";
import { html, type TemplateResult, svg } from "lit";
import { t } from "../../engine/base/language.ts";
import type { BreakdownPart, CalledPart, Overview } from "../../engine/ledger/ledger-answers.ts";
import { agentNames } from "../components/page-agents.ts";
import {
  costCell,
  estimateCell,
  link,
  numberCell,
  shareCell,
  textCell,
  column,
  numberColumn,
  extra,
} from "../components/table/table-cells.ts";
import { sum } from "../components/charts/series.ts";
import type { Cell, TableRow } from "../components/table/table-rows.ts";
import "../components/tabs.ts";
import type { RenderContext } from "./ledger-model.ts";
import { pathNames } from "./lists.ts";
import { amount, amountText, processingTokens } from "./describe-ledger.ts";
import { binned, type Unit } from "./days.ts";
import { dayDate, shortDay } from "../components/times.ts";
import type { OverviewMessage } from "./ledger-protocol.ts";

/** Pixels. */
const [width, height, inset] = [110, 22, 3];

/**
 * A line from zero through a row's values over time, for a cell of a table.
 *
 * @param values two or more
 * @param label the values in words
 */
function sparkCell(values: readonly number[], label: string): Cell {
  const last = values.at(-1) ?? 0;
  const largest = Math.max(...values, Number.MIN_VALUE);
  const x = (index: number) => inset + ((width - 2 * inset) * index) / (values.length - 1);
  const y = (value: number) => height - inset - ((height - 2 * inset) * value) / largest;
  const points = values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
  const content = (): TemplateResult =>
    html`<svg class="spark" role="img" width=${width} height=${height}>
      <title>${label}</title>
      ${svg`<path class="line" d="M${points.join("L")}" />
      <circle class="end" cx=${x(values.length - 1).toFixed(1)} cy=${y(last).toFixed(1)} r="2.5" />`}
    </svg>`;
  return { content, sort: last };
}

interface Kind {
  readonly id: string;
  readonly label: string;
  /** The name of its table. */
  readonly by: string;
  /** Name of the row of responses without one. */
  readonly none: string;
  readonly parts: (overview: Overview) => readonly (BreakdownPart | CalledPart)[];
}

const kinds: readonly [Kind, ...Kind[]] = [
  {
    id: "project",
    label: t("Project"),
    by: t("By project"),
    none: t("unknown"),
    parts: ({ projects }) => projects,
  },
  { id: "model", label: t("Model"), by: t("By model"), none: t("unknown"), parts: ({ models }) => models },
  {
    id: "agent",
    label: t("Agent"),
    by: t("By agent"),
    none: t("unknown"),
    parts: ({ programs }) => programs,
  },
  {
    id: "branch",
    label: t("Branch"),
    by: t("By branch"),
    none: t("unknown"),
    parts: ({ branches }) => branches,
  },
  {
    id: "subagent",
    label: t("Subagent"),
    by: t("By subagent"),
    none: t("Main conversation"),
    parts: ({ subagents }) => subagents,
  },
  { id: "tool", label: t("Tool"), by: t("By tool"), none: t("No tool called"), parts: ({ tools }) => tools },
  {
    id: "skill",
    label: t("Skill"),
    by: t("By skill"),
    none: t("No skill used"),
    parts: ({ skills }) => skills,
  },
  {
    id: "server",
    label: t("MCP Server"),
    by: t("By MCP server"),
    none: t("No MCP server called"),
    parts: ({ servers }) => servers,
  },
];

/** Only with the usage of other machines. */
const machineKind: Kind = {
  id: "machine",
  label: t("Machine"),
  by: t("By machine"),
  none: t("unknown"),
  parts: ({ machines }) => machines,
};

/** Breaks the total down by one criterion at a time, as bars in a table. */
export function breakdown(
  context: RenderContext,
  { overview, since, until }: Pick<OverviewMessage, "overview" | "since" | "until">,
): TemplateResult {
  const { model, actions } = context;
  const all = overview.machines.length === 0 ? kinds : [...kinds, machineKind];
  const kind = all.find(({ id }) => id === model.kept.breakdown) ?? kinds[0];
  const parts = kind.parts(overview);
  const trends = kind.id === "agent" ? trendsOf(overview, { since, until, metric: model.kept.metric }) : null;
  return html`<purser-tabs
    label=${t("Break down by")}
    .tabs=${all}
    chosen=${kind.id}
    @choose=${({ detail }: CustomEvent<string>) => actions.setBreakdown(detail)}
  >
    ${
      parts.length === 0
        ? html`<p class="quiet nothing">${t("Nothing in this time.")}</p>`
        : dataTable({
            label: kind.by,
            headings: [
              ...headings(kind.label, parts.some(isCalled)),
              ...(trends === null ? [] : [extra(column(trends.heading, trends.note))]),
            ],
            rows: rows(context, kind, parts, trends?.cell),
          })
    }
  </purser-tabs>`;
}

function headings(label: string, areCalled: boolean): Heading[] {
  return [
    column(label),
    column(t("Share")),
    numberColumn(t("New tokens")),
    numberColumn(t("Cost (USD)"), t("At list prices")),
    ...(areCalled
      ? [
          numberColumn(t("Calls")),
          extra(numberColumn(t("Errors"))),
          extra(numberColumn(t("Characters returned"), t("What came back into the context"))),
        ]
      : [extra(numberColumn(t("Responses")))]),
  ];
}

function rows(
  context: RenderContext,
  kind: Kind,
  parts: readonly (BreakdownPart | CalledPart)[],
  trend: ((key: string | null) => Cell) | undefined,
): TableRow[] {
  const { metric } = context.model.kept;
  const whole = sum(parts.map((part) => amount(part, metric)));
  const ranked = parts.toSorted((one, other) => amount(other, metric) - amount(one, metric));
  const named = nameOf(context, kind, parts);
  return ranked.map((part) => ({
    key: part.key ?? "",
    cells: [
      part.key === null || part.key === "" ? textCell(null, kind.none) : named(part.key),
      shareCell(amount(part, metric), whole),
      ...(isCalled(part)
        ? [
            estimateCell(processingTokens(part.usage)),
            costCell(part, true),
            numberCell(part.calls),
            numberCell(part.errors),
            numberCell(part.resultChars),
          ]
        : [numberCell(processingTokens(part.usage)), costCell(part), numberCell(part.responses)]),
      ...(trend === undefined ? [] : [trend(part.key)]),
    ],
  }));
}

const trendHeadings: Readonly<Record<Exclude<Unit, "hour">, string>> = {
  day: t("By day"),
  week: t("By week"),
  month: t("By month"),
};

/** A line for each part, over the same bins as the chart of the page. */
function trendsOf(overview: Overview, shown: Parameters<typeof binned>[1]) {
  const { unit, bins, byName } = binned(overview, shown, "programs");
  if (unit === "hour" || bins.length < 2) return null;
  const cell = (key: string | null): Cell => {
    const values = byName.get(key) ?? bins.map(() => 0);
    const said = bins.map(
      ({ from }, index) => `${shortDay(dayDate(from))}: ${amountText(values[index] ?? 0, shown.metric)}`,
    );
    return sparkCell(values, said.join("; "));
  };
  const note = shown.metric === "tokens" ? t("New tokens, from zero") : t("Cost at list prices, from zero");
  return { heading: trendHeadings[unit], note, cell };
}

/** Names a part. Projects and agents are links that filter by them. */
function nameOf({ model, actions }: RenderContext, { id }: Kind, parts: readonly BreakdownPart[]) {
  const { question } = model.kept;
  const filter = (content: () => unknown, key: string, change: object): Cell => ({
    content: () => link(content(), () => actions.ask({ ...question, ...change })),
    sort: key,
  });
  if (id === "agent")
    return (key: string) => filter(textCell(agentNames.of(key)).content, key, { program: key });
  if (id !== "project") return (key: string) => textCell(key);
  const path = pathNames(parts.map(({ key }) => key));
  return (key: string) => filter(() => path(key), key, { project: key });
}

function isCalled(part: BreakdownPart | CalledPart): part is CalledPart {
  return "calls" in part;
}
