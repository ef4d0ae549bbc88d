import { dataTable } from "../../components/table/table.ts";
import type { TemplateResult } from "lit";
import { t } from "../../../engine/base/language.ts";
import type {
  CalledPart,
  SessionPage,
  SessionRun,
  SessionTurn,
} from "../../../engine/ledger/ledger-answers.ts";
import {
  costCell,
  estimateCell,
  numberCell,
  shareCell,
  textCell,
  timeCell,
  column,
  numberColumn,
  extra,
} from "../../components/table/table-cells.ts";
import { unknown } from "../../components/figures.ts";
import { sum } from "../../components/charts/series.ts";
import type { Heading } from "../../components/table/table.ts";
import { duration } from "../../components/times.ts";
import { processingTokens, fillName } from "../describe-ledger.ts";

const tokensHeading: Heading = numberColumn(t("New tokens"));
const costHeading: Heading = numberColumn(t("Cost (USD)"), t("At list prices"));

/** Lists what filled the context at one turn. */
export function fillTable({ fill }: SessionTurn): TemplateResult {
  const parts = (fill ?? []).toSorted((one, other) => other.tokens - one.tokens);
  const whole = sum(parts.map(({ tokens }) => tokens));
  const rows = parts.map(({ name, chars, tokens }) => ({
    key: name,
    cells: [textCell(fillName(name)), shareCell(tokens, whole), estimateCell(tokens), numberCell(chars)],
  }));
  const headings: Heading[] = [
    column(t("Part")),
    column(t("Share")),
    numberColumn(t("Tokens")),
    extra(numberColumn(t("Characters"))),
  ];
  return dataTable({ label: t("What fills the context"), headings, rows });
}

export function toolTable(tools: readonly CalledPart[]): TemplateResult {
  const rows = tools.map((tool) => ({
    key: tool.key ?? "",
    cells: [
      textCell(tool.key, t("No tool called")),
      numberCell(tool.calls),
      numberCell(tool.errors),
      numberCell(tool.inputChars),
      numberCell(tool.resultChars),
      estimateCell(processingTokens(tool.usage)),
    ],
  }));
  const headings: Heading[] = [
    column(t("Tool")),
    numberColumn(t("Calls")),
    extra(numberColumn(t("Errors"))),
    extra(numberColumn(t("Characters sent"))),
    numberColumn(t("Characters returned")),
    tokensHeading,
  ];
  return dataTable({ label: t("Tools"), headings, rows });
}

export function subagentTable(subagents: SessionPage["subagents"]): TemplateResult {
  const rows = subagents.map((subagent) => ({
    key: subagent.agentId,
    cells: [
      textCell(subagent.description, subagent.agentId.slice(0, 12)),
      textCell(subagent.type),
      numberCell(subagent.responses),
      numberCell(processingTokens(subagent.usage)),
      costCell(subagent),
    ],
  }));
  const headings: Heading[] = [
    column(t("Subagent")),
    extra(column(t("Type"))),
    numberColumn(t("Responses")),
    tokensHeading,
    costHeading,
  ];
  return dataTable({ label: t("Subagents"), headings, rows });
}

export function runTable(runs: readonly SessionRun[], now: number): TemplateResult {
  const rows = runs.map((run) => ({
    key: run.id,
    cells: [
      timeCell(run.startedAt, now),
      textCell(run.agent),
      textCell(run.completed ? t("Completed") : t("Not completed")),
      {
        content: () => (run.durationMs === null ? unknown : duration(run.durationMs)),
        sort: run.durationMs,
      },
      numberCell(run.toolCalls),
      numberCell(run.filesReread),
      numberCell(run.processingTokens),
    ],
  }));
  const headings: Heading[] = [
    column(t("Began")),
    column(t("Agent")),
    extra(column(t("Outcome"))),
    extra(numberColumn(t("Took"))),
    extra(numberColumn(t("Tool calls"))),
    extra(numberColumn(t("Files read again"))),
    tokensHeading,
  ];
  return dataTable({ label: t("Runs"), headings, rows });
}

/** Lists every response, including subagents', newest first. */
export function turnTable(turns: readonly SessionTurn[], now: number): TemplateResult {
  const rows = turns
    .map((turn, index) => ({
      key: turn.messageId,
      cells: [
        numberCell(index + 1),
        timeCell(turn.at, now),
        textCell(turn.model),
        textCell(turn.agentId, t("main")),
        textCell(turn.tools.join(", "), t("none")),
        numberCell(turn.usage.input),
        numberCell(turn.usage.cacheCreation5m + turn.usage.cacheCreation1h),
        numberCell(turn.usage.cacheRead),
        numberCell(turn.usage.output),
        costCell({ usd: turn.usd, unpriced: 0, standardTier: Number(turn.isStandardTier === true) }),
      ],
    }))
    .reverse();
  const headings: Heading[] = [
    numberColumn(t("No.")),
    column(t("Time")),
    extra(column(t("Model"))),
    extra(column(t("Conversation"))),
    extra(column(t("Tools"))),
    numberColumn(t("Input")),
    numberColumn(t("Cache writes")),
    extra(numberColumn(t("Cache reads"))),
    numberColumn(t("Output")),
    costHeading,
  ];
  return dataTable({ label: t("Turns"), headings, rows, most: 20 });
}
