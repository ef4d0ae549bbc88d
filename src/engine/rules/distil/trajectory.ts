import { isObject, parseJson } from "../../base/parse.ts";
import { cleanText } from "../../base/text.ts";
import { type RowObject, readWork, type WorkCall } from "../../transcripts/claude.ts";
import type { ToolKind } from "../../transcripts/tool-kind.ts";

export interface Action {
  /** Line of the transcript, counted from 1. */
  readonly line: number;
  readonly at: number | null;
  readonly tool: string;
  readonly kind: ToolKind;
  /** The file, pattern or command, cleaned. Empty if there is none. */
  readonly target: string;
  /** Actions with the same key make the same request. */
  readonly key: string;
  /** The file it reads or changes, or null. */
  readonly file: string | null;
  result: { readonly chars: number; readonly isError: boolean; readonly text: string } | null;
}

/** Text of the model after an action, or a tool's input: where the action's output may have been used. */
interface LineText {
  readonly line: number;
  readonly text: string;
}

export interface Trajectory {
  readonly actions: readonly Action[];
  readonly texts: readonly LineText[];
  /** Number of unreadable lines. */
  readonly malformed: number;
}

/** Stored length of a result, for searching. Characters. */
const keptResult = 20_000;

const maxTargetLength = 160;

/**
 * Reads a run's actions from its transcript. Rows outside of the run's time are skipped, but counted as lines. A streamed
 * response has one row per block; a repeated call counts once.
 */
export function readTrajectory(
  lines: Iterable<string>,
  { since, until }: { readonly since: number | null; readonly until: number | null },
): Trajectory {
  const actions: Action[] = [];
  const texts: LineText[] = [];
  const byId = new Map<string, Action>();
  let line = 0;
  let malformed = 0;
  for (const text of lines) {
    line += 1;
    if (text.trim() === "") continue;
    const row = rowIn(text);
    if (row === null) {
      malformed += 1;
      continue;
    }
    const at = timeOf(row["timestamp"]);
    if (at !== null && ((since !== null && at < since) || (until !== null && at > until))) continue;
    const work = readWork(row);
    for (const each of work.texts) texts.push({ line, text: each });
    for (const call of work.calls) {
      if (byId.has(call.id)) continue;
      const action = actionOf(call, { line, at });
      byId.set(call.id, action);
      actions.push(action);
      texts.push({ line, text: JSON.stringify(call.input) });
    }
    for (const { id, isError, text: output } of work.results) {
      const action = byId.get(id);
      if (action !== undefined)
        action.result ??= { chars: output.length, isError, text: output.slice(0, keptResult) };
    }
  }
  return { actions, texts, malformed };
}

function actionOf(
  { tool, kind, input, file }: WorkCall,
  position: { readonly line: number; readonly at: number | null },
): Action {
  const text = (name: string): string => {
    const value = input[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const main = file ?? (text("command") || text("pattern") || text("path") || text("query") || text("url"));
  const rest = ["offset", "limit", "path", "glob", "type", "output_mode"].map(text).join("\u0001");
  const key = `${tool}\u0001${main.replaceAll(/\s+/gu, " ").trim()}\u0001${rest}`;
  const target = cleanText(main).slice(0, maxTargetLength);
  return { ...position, tool: cleanText(tool).slice(0, 60), kind, target, key, file, result: null };
}

/** Returns null for an invalid row: a transcript may end within a line. */
function rowIn(text: string): RowObject | null {
  const row = parseJson(text);
  return isObject(row) && typeof row["type"] === "string" ? row : null;
}

function timeOf(text: unknown): number | null {
  const at = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
