import * as z from "zod/mini";
import { objectsAt, type RowObject } from "../claude/message-parts.ts";
import { optionalText, optionalTime } from "../row-values.ts";

/** A tool call as Gemini CLI records it, in the message that made it. Source: `chatRecordingTypes.ts`. */
const toolCall = z.looseObject({
  id: z.string().check(z.minLength(1)),
  name: z.string(),
  args: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  status: optionalText,
  timestamp: optionalTime,
  displayName: optionalText,
  /** The subagent that the call ran. */
  agentId: optionalText,
});
export type GeminiToolCall = z.infer<typeof toolCall>;

export function toolCallsOf(message: RowObject): GeminiToolCall[] {
  return objectsAt(message, "toolCalls").flatMap((each) => toolCall.safeParse(each).data ?? []);
}

export function isDone({ status }: GeminiToolCall): boolean {
  return status === "success" || status === "error" || status === "cancelled";
}

/** The subagent signals with this call that it is done. */
export function endsSubagent({ name, status }: GeminiToolCall): boolean {
  return name === "complete_task" && status === "success";
}
