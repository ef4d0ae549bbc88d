import { isObject } from "../../base/parse.ts";
import { withoutElements } from "../../base/text.ts";
import { textAt, type RowObject, objectsAt } from "../claude/message-parts.ts";
import * as z from "zod/mini";
import { optionalText, optionalTime } from "../row-values.ts";

/** The texts of a message's content: a text, a part, or a list of them. */
export function contentTexts(content: unknown): string[] {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) =>
    typeof part === "string" ? [part] : isObject(part) ? (textAt(part, "text") ?? []) : [],
  );
}

/** Characters of a text, a part, or a list of them. */
export function textChars(content: unknown): number {
  return contentTexts(content).reduce((sum, text) => sum + text.length, 0);
}

/** Whether a message sends tools' results to the model. */
function answersTool(content: unknown): boolean {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.some((part) => isObject(part) && isObject(part["functionResponse"]));
}

/** Text that the agent itself writes under a person's name: notes about the session, hooks' additions, summaries. */
const addedText = /<(session_context|hook_context|state_snapshot)>/gu;

/** The words of a prompt as a person entered it; null for a message that no person wrote. */
export function promptText({ content, displayContent }: RowObject): string | null {
  if (answersTool(content) || holdsSummary(content)) return null;
  const displayed = contentTexts(displayContent).join("\n");
  const whole = displayed === "" ? contentTexts(content).join("\n") : displayed;
  const text = withoutElements(whole, addedText);
  return text.trim() === "" ? null : text.trim();
}

/** Whether a message holds the agent's summary of the messages before it: the sign of a compression. */
export function holdsSummary(content: unknown): boolean {
  return contentTexts(content).some((text) => text.includes("<state_snapshot>"));
}

/** A tool call as Gemini CLI records it, in the message that made it. Source: `chatRecordingTypes.ts`. */
const toolCall = z.looseObject({
  id: z.string().check(z.minLength(1)),
  name: z.string(),
  args: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  status: optionalText,
  timestamp: optionalTime,
  displayName: optionalText,
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
