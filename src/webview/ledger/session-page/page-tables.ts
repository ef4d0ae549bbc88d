import { html, type TemplateResult } from "lit";
import type { CalledPart, SessionPage, SessionRun, SessionTurn } from "../../../engine/ledger/answers.ts";
import {
  costCell,
  estimateCell,
  numberCell,
  shareCell,
  textCell,
  timeCell,
} from "../../components/table/cells.ts";
import { unknown } from "../../components/figures.ts";
import { sum } from "../../components/charts/series.ts";
import type { Heading } from "../../components/table/table.ts";
import { duration } from "../../components/times.ts";
import { processingTokens } from "../measure.ts";
import { fillName } from "../describe.ts";

const tokensHeading: Heading = { text: "New tokens", isNumber: true };
const costHeading: Heading = { text: "Cost (USD)", isNumber: true, title: "At list prices" };

/** Lists what filled the context at one turn. */
export function fillTable({ fill }: SessionTurn): TemplateResult {
  const parts = (fill ?? []).toSorted((one, other) => other.tokens - one.tokens);
  const whole = sum(parts.map(({ tokens }) => tokens));
  const rows = parts.map(({ name, chars, tokens }) => ({
    key: name,
    cells: [textCell(fillName(name)), shareCell(tokens, whole), estimateCell(tokens), numberCell(chars)],
  }));
  const headings: Heading[] = [
    { text: "Part" },
    { text: "Share" },
    { text: "Tokens", isNumber: true },
    { text: "Characters", isNumber: true, isExtra: true },
  ];
  return html`<purser-table
    label="What fills the context"
    .headings=${headings}
    .rows=${rows}
  ></purser-table>`;
}

export function toolTable(tools: readonly CalledPart[]): TemplateResult {
  const rows = tools.map((tool) => ({
    key: tool.key ?? "",
    cells: [
      textCell(tool.key, "No tool called"),
      numberCell(tool.calls),
      numberCell(tool.errors),
      numberCell(tool.inputChars),
      numberCell(tool.resultChars),
      estimateCell(processingTokens(tool.usage)),
    ],
  }));
  const headings: Heading[] = [
    { text: "Tool" },
    { text: "Calls", isNumber: true },
    { text: "Errors", isNumber: true, isExtra: true },
    { text: "Characters sent", isNumber: true, isExtra: true },
    { text: "Characters returned", isNumber: true },
    tokensHeading,
  ];
  return html`<purser-table label="Tools" .headings=${headings} .rows=${rows}></purser-table>`;
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
    { text: "Subagent" },
    { text: "Type", isExtra: true },
    { text: "Responses", isNumber: true },
    tokensHeading,
    costHeading,
  ];
  return html`<purser-table label="Subagents" .headings=${headings} .rows=${rows}></purser-table>`;
}

export function runTable(runs: readonly SessionRun[], now: number): TemplateResult {
  const rows = runs.map((run) => ({
    key: run.id,
    cells: [
      timeCell(run.startedAt, now),
      textCell(run.agent),
      textCell(run.completed ? "Completed" : "Not completed"),
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
    { text: "Began" },
    { text: "Agent" },
    { text: "Outcome", isExtra: true },
    { text: "Took", isNumber: true, isExtra: true },
    { text: "Tool calls", isNumber: true, isExtra: true },
    { text: "Files read again", isNumber: true, isExtra: true },
    tokensHeading,
  ];
  return html`<purser-table label="Runs" .headings=${headings} .rows=${rows}></purser-table>`;
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
        textCell(turn.agentId, "main"),
        textCell(turn.tools.join(", "), "none"),
        numberCell(turn.usage.input),
        numberCell(turn.usage.cacheCreation5m + turn.usage.cacheCreation1h),
        numberCell(turn.usage.cacheRead),
        numberCell(turn.usage.output),
        costCell({ usd: turn.usd, unpriced: 0 }),
      ],
    }))
    .reverse();
  const headings: Heading[] = [
    { text: "No.", isNumber: true },
    { text: "Time" },
    { text: "Model", isExtra: true },
    { text: "Conversation", isExtra: true },
    { text: "Tools", isExtra: true },
    { text: "Input", isNumber: true },
    { text: "Cache writes", isNumber: true },
    { text: "Cache reads", isNumber: true, isExtra: true },
    { text: "Output", isNumber: true },
    costHeading,
  ];
  return html`<purser-table label="Turns" .headings=${headings} .rows=${rows} most="20"></purser-table>`;
}
