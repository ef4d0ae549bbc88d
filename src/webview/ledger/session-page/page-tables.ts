import { html, type TemplateResult } from "lit";
import { t } from "../../../engine/base/language.ts";
import type { CalledPart, SessionPage, SessionRun, SessionTurn } from "../../../engine/ledger/answers.ts";
import {
  costCell,
  estimateCell,
  numberCell,
  shareCell,
  textCell,
  timeCell,
} from "../../components/table/table-cells.ts";
import { unknown } from "../../components/figures.ts";
import { sum } from "../../components/charts/series.ts";
import type { Heading } from "../../components/table/table.ts";
import { duration } from "../../components/times.ts";
import { processingTokens, fillName } from "../describe-ledger.ts";

const tokensHeading: Heading = { text: t("New tokens"), isNumber: true };
const costHeading: Heading = { text: t("Cost (USD)"), isNumber: true, title: t("At list prices") };

/** Lists what filled the context at one turn. */
export function fillTable({ fill }: SessionTurn): TemplateResult {
  const parts = (fill ?? []).toSorted((one, other) => other.tokens - one.tokens);
  const whole = sum(parts.map(({ tokens }) => tokens));
  const rows = parts.map(({ name, chars, tokens }) => ({
    key: name,
    cells: [textCell(fillName(name)), shareCell(tokens, whole), estimateCell(tokens), numberCell(chars)],
  }));
  const headings: Heading[] = [
    { text: t("Part") },
    { text: t("Share") },
    { text: t("Tokens"), isNumber: true },
    { text: t("Characters"), isNumber: true, isExtra: true },
  ];
  return html`<purser-table
    label=${t("What fills the context")}
    .headings=${headings}
    .rows=${rows}
  ></purser-table>`;
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
    { text: t("Tool") },
    { text: t("Calls"), isNumber: true },
    { text: t("Errors"), isNumber: true, isExtra: true },
    { text: t("Characters sent"), isNumber: true, isExtra: true },
    { text: t("Characters returned"), isNumber: true },
    tokensHeading,
  ];
  return html`<purser-table label=${t("Tools")} .headings=${headings} .rows=${rows}></purser-table>`;
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
    { text: t("Subagent") },
    { text: t("Type"), isExtra: true },
    { text: t("Responses"), isNumber: true },
    tokensHeading,
    costHeading,
  ];
  return html`<purser-table label=${t("Subagents")} .headings=${headings} .rows=${rows}></purser-table>`;
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
    { text: t("Began") },
    { text: t("Agent") },
    { text: t("Outcome"), isExtra: true },
    { text: t("Took"), isNumber: true, isExtra: true },
    { text: t("Tool calls"), isNumber: true, isExtra: true },
    { text: t("Files read again"), isNumber: true, isExtra: true },
    tokensHeading,
  ];
  return html`<purser-table label=${t("Runs")} .headings=${headings} .rows=${rows}></purser-table>`;
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
    { text: t("No."), isNumber: true },
    { text: t("Time") },
    { text: t("Model"), isExtra: true },
    { text: t("Conversation"), isExtra: true },
    { text: t("Tools"), isExtra: true },
    { text: t("Input"), isNumber: true },
    { text: t("Cache writes"), isNumber: true },
    { text: t("Cache reads"), isNumber: true, isExtra: true },
    { text: t("Output"), isNumber: true },
    costHeading,
  ];
  return html`<purser-table
    label=${t("Turns")}
    .headings=${headings}
    .rows=${rows}
    most="20"
  ></purser-table>`;
}
