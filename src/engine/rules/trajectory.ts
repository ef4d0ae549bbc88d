import * as z from "zod";
import { cleanText } from "../base/text.ts";

/** What an action does to the context, whatever the tool is called. */
type ActionKind = "read" | "search" | "list" | "command" | "edit" | "other";

/** One call of a tool in a transcript, and what came back. Texts are the agent's and its tools': data. */
export interface Action {
  /** Of the transcript, counted from 1. */
  readonly line: number;
  readonly at: number | null;
  readonly tool: string;
  readonly kind: ActionKind;
  /** The file, pattern or command, cleaned; empty where it has none. */
  readonly target: string;
  /** Two actions with the same key ask for the same. */
  readonly key: string;
  /** The file it reads or changes, or null. */
  readonly file: string | null;
  result: { readonly chars: number; readonly isError: boolean; readonly text: string } | null;
}

/** What is said or asked by the model after an action: where its output may have been of use. */
interface Said {
  readonly line: number;
  readonly text: string;
}

export interface Trajectory {
  readonly actions: readonly Action[];
  readonly said: readonly Said[];
  /** Lines that could not be read. */
  readonly malformed: number;
}

/** Of a result, what is kept to look through. Characters. */
const keptResult = 20_000;
const longestTarget = 160;

const block = z.object({
  type: z.string(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().nullish(),
  content: z.unknown().optional(),
  text: z.string().optional(),
});
const row = z.object({
  type: z.string(),
  timestamp: z.string().nullish(),
  message: z.object({ content: z.union([z.string(), z.array(z.unknown())]).optional() }).optional(),
});

/**
 * What a run did, from its transcript's lines. Rows outside of its time are passed over, but counted as lines. Of a streamed
 * response each row tells one block; a call told twice is one.
 */
export function readTrajectory(
  lines: Iterable<string>,
  { since, until }: { readonly since: number | null; readonly until: number | null },
): Trajectory {
  const actions: Action[] = [];
  const said: Said[] = [];
  const byId = new Map<string, Action>();
  let line = 0;
  let malformed = 0;
  for (const text of lines) {
    line += 1;
    if (text.trim() === "") continue;
    const parsed = row.safeParse(parse(text));
    if (!parsed.success) {
      malformed += 1;
      continue;
    }
    const at = timeOf(parsed.data.timestamp);
    if (at !== null && ((since !== null && at < since) || (until !== null && at > until))) continue;
    for (const each of blocksOf(parsed.data.message?.content)) {
      if (each.type === "text" && parsed.data.type === "assistant" && each.text !== undefined)
        said.push({ line, text: each.text });
      else if (each.type === "tool_use" && each.id !== undefined && !byId.has(each.id)) {
        const action = actionOf(each.name ?? "", each.input ?? {}, { line, at });
        byId.set(each.id, action);
        actions.push(action);
        said.push({ line, text: JSON.stringify(each.input ?? {}) });
      } else if (each.type === "tool_result" && each.tool_use_id !== undefined) {
        const action = byId.get(each.tool_use_id);
        const told = textOf(each.content);
        if (action !== undefined)
          action.result ??= {
            chars: told.length,
            isError: each.is_error === true,
            text: told.slice(0, keptResult),
          };
      }
    }
  }
  return { actions, said, malformed };
}

const kinds: Readonly<Record<string, ActionKind>> = {
  Read: "read",
  NotebookRead: "read",
  Grep: "search",
  Glob: "search",
  LS: "list",
  Bash: "command",
  PowerShell: "command",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
};

type Input = Readonly<Record<string, unknown>>;

function actionOf(tool: string, input: Input, place: { line: number; at: number | null }): Action {
  const kind = kinds[tool] ?? "other";
  const text = (name: string): string => {
    const value = input[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const file = text("file_path") || text("notebook_path") || null;
  const main = file ?? (text("command") || text("pattern") || text("path") || text("query") || text("url"));
  const rest = ["offset", "limit", "path", "glob", "type", "output_mode"].map(text).join("\u0001");
  const key = `${tool}\u0001${main.replaceAll(/\s+/gu, " ").trim()}\u0001${rest}`;
  const target = cleanText(main).slice(0, longestTarget);
  return { ...place, tool: cleanText(tool).slice(0, 60), kind, target, key, file, result: null };
}

function blocksOf(content: string | readonly unknown[] | undefined): z.infer<typeof block>[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return (content ?? []).flatMap((each) => block.safeParse(each).data ?? []);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((each) => block.safeParse(each).data?.text ?? []).join("\n");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A transcript may end within a line: it is counted as malformed.
    return undefined;
  }
}

function timeOf(text: string | null | undefined): number | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at;
}
