import * as z from "zod/mini";
import { optionalFlag, optionalText, optionalTokens, tokens } from "../row-values.ts";
import { isObject } from "../../base/parse.ts";

/**
 * Schemas for the rollout lines about turns and tools, as far as purser reads them: every object is loose, and only what
 * identifies a line is required. Sources: codex-rs/protocol/src/{protocol,items,models,parse_command}.rs.
 */

const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), null);
const text = z.string();
const exitCode = maybe(z.int());
const duration = maybe(z.looseObject({ secs: tokens, nanos: tokens }));
const parsedCommands = maybe(z.array(z.looseObject({ type: text, path: optionalText })));

/** A `response_item` that calls a tool. Calls run by the API itself have `id` instead of `call_id`, or neither. */
export const callItem = z.looseObject({
  type: z.enum([
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "tool_search_call",
    "web_search_call",
    "image_generation_call",
  ]),
  id: optionalText,
  call_id: optionalText,
  name: optionalText,
  namespace: optionalText,
  /** JSON text. */
  arguments: z.optional(z.unknown()),
  /** Text in the tool's own format. */
  input: z.optional(z.unknown()),
  action: z.optional(z.unknown()),
});
export type CallItem = z.infer<typeof callItem>;

export const outputItem = z.looseObject({
  type: z.enum(["function_call_output", "custom_tool_call_output", "tool_search_output"]),
  call_id: text,
  output: z.optional(z.unknown()),
});
export type OutputItem = z.infer<typeof outputItem>;

/** The end of a turn. In older versions `turn_aborted` has no id, and neither starts nor ends of turns are stored. */
export const endEvent = z.looseObject({
  turn_id: optionalText,
  duration_ms: optionalTokens,
  last_agent_message: optionalText,
  error: z.optional(z.unknown()),
});

/** `user_message` and `agent_message`. */
export const messageEvent = z.looseObject({ message: optionalText });

/** Older versions have a separate event for each kind of tool. */
export const toolEvent = z.looseObject({
  call_id: text,
  invocation: maybe(z.looseObject({ server: optionalText })),
  parsed_cmd: parsedCommands,
  duration,
  exit_code: exitCode,
  success: optionalFlag,
  result: z.optional(z.unknown()),
});
export type ToolEvent = z.infer<typeof toolEvent>;

/** `item_completed`. A tool's item has its call's id. */
export const itemEvent = z.looseObject({
  item: z.looseObject({
    type: text,
    id: optionalText,
    content: z.optional(z.unknown()),
    status: optionalText,
    server: optionalText,
    parsed_cmd: parsedCommands,
    exit_code: exitCode,
    duration,
  }),
  started_at_ms: optionalTokens,
  completed_at_ms: optionalTokens,
});
export type ItemEvent = z.infer<typeof itemEvent>;

export const compactedRow = z.looseObject({ window_id: optionalText, compaction_response_id: optionalText });

/** Reads the prompts of a rollout. Some versions write each twice: as a message, and as an item. */
export class Prompts {
  #last: { readonly type: string; readonly text: string } | null = null;
  #count = 0;

  /** True after the first prompt, until the second. */
  get isFirst(): boolean {
    return this.#count === 1;
  }

  /** Returns a prompt's text; undefined for any other event, and for a repeated prompt. */
  read(type: string, payload: unknown): string | undefined {
    const text = promptIn(type, payload);
    if (text === undefined) return undefined;
    const isRepeated = this.#last !== null && this.#last.type !== type && this.#last.text === text;
    this.#last = isRepeated ? null : { type, text };
    if (isRepeated) return undefined;
    this.#count += 1;
    return text;
  }
}

/**
 * The heading that editors put before the prompt itself, after the list of open files and similar context. Seen in the
 * binary of 0.169.0.
 */
const beginning = "## My request for Codex:";

function promptIn(type: string, payload: unknown): string | undefined {
  const text = textIn(type, payload);
  const begin = text?.indexOf(beginning) ?? -1;
  return begin === -1 ? text : text?.slice(begin + beginning.length).trim();
}

function textIn(type: string, payload: unknown): string | undefined {
  if (type === "user_message") return messageEvent.safeParse(payload).data?.message ?? undefined;
  if (type !== "item_completed") return undefined;
  const item = itemEvent.safeParse(payload).data?.item;
  return item?.type === "UserMessage" ? textOf(item.content) : undefined;
}

/** The texts of a message; images have none. */
function textOf(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) => (isObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join(" ");
}
