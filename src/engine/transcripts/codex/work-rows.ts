import * as z from "zod";
import { optionalText, tokens } from "../row-values.ts";

/**
 * The lines of a Codex rollout that tell what was done, as far as purser reads them: every object is open, and nothing is
 * required but what a line is of. Sources: codex-rs/protocol/src/{protocol,items,models,parse_command}.rs.
 */

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);
const text = z.string();
const duration = maybe(z.looseObject({ secs: tokens, nanos: tokens }));
const parsedCommands = maybe(z.array(z.looseObject({ type: text, path: optionalText })));

/** A `response_item` that calls a tool. Tools the API itself runs have an id of their own, or none. */
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
  /** JSON as a text. */
  arguments: z.unknown().optional(),
  /** A text of the tool's own form. */
  input: z.unknown().optional(),
  action: z.unknown().optional(),
});
export type CallItem = z.infer<typeof callItem>;

export const outputItem = z.looseObject({
  type: z.enum(["function_call_output", "custom_tool_call_output", "tool_search_output"]),
  call_id: text,
  output: z.unknown().optional(),
});
export type OutputItem = z.infer<typeof outputItem>;

/** `turn_aborted` has no id in older versions, and they keep neither begins nor ends of turns. */
export const endEvent = z.looseObject({
  turn_id: optionalText,
  duration_ms: maybe(tokens),
  last_agent_message: optionalText,
  error: z.unknown().optional(),
});

/** `user_message` and `agent_message`. */
export const messageEvent = z.looseObject({ message: optionalText });

/** Older versions tell of each kind of tool in an event of its own. */
export const toolEvent = z.looseObject({
  call_id: text,
  invocation: maybe(z.looseObject({ server: optionalText })),
  parsed_cmd: parsedCommands,
  duration,
  exit_code: maybe(z.int()),
  success: maybe(z.boolean()),
  result: z.unknown().optional(),
});
export type ToolEvent = z.infer<typeof toolEvent>;

/** `item_completed`. A tool's item has the id of its call. */
export const itemEvent = z.looseObject({
  item: z.looseObject({
    type: text,
    id: optionalText,
    content: z.unknown().optional(),
    status: optionalText,
    server: optionalText,
    parsed_cmd: parsedCommands,
    exit_code: maybe(z.int()),
    duration,
  }),
  started_at_ms: maybe(tokens),
  completed_at_ms: maybe(tokens),
});
export type ItemEvent = z.infer<typeof itemEvent>;

export const compactedRow = z.looseObject({ window_id: optionalText, compaction_response_id: optionalText });
