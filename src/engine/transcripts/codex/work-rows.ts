import * as z from "zod/mini";
import { optionalFlag, optionalText, optionalTokens, tokens } from "../row-values.ts";

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
