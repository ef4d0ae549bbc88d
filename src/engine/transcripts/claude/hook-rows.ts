import { parseJson } from "../../base/parse.ts";

/**
 * One hook run, as recorded in a transcript. It records hooks that produced output, and all hooks at the end of a
 * turn.
 */
export interface HookRun {
  readonly event: string;
  /** The command, or the URL for an HTTP hook. Null when the row names neither. */
  readonly command: string | null;
  /** Milliseconds; null for an HTTP hook, whose rows do not record it. */
  readonly durationMs: number | null;
  /** What it added to the agent's context. Characters. */
  readonly injectedChars: number;
  /** False for a row that only adds detail to a hook run counted by another row. */
  readonly isCounted: boolean;
}

/** Events whose plain-text output goes into the agent's context. */
const plainTextEvents = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PostModelSwitch",
]);

/** Bytes every hook row contains. Lines are searched for them before parsing, since few lines are hook rows. */
export const hookMark = Buffer.from('"hook');

/** The hook runs a row records. @param row any JSON value */
export function hookRunsIn(row: unknown): HookRun[] {
  const { type, subtype } = objectOf(row);
  if (type === "system" && subtype === "stop_hook_summary") return endOfTurn(objectOf(row));
  if (type !== "attachment") return [];
  const attachment = objectOf(objectOf(row)["attachment"]);
  const event = textOf(attachment["hookEvent"]);
  if (event === null) return [];
  const about = {
    event,
    command: textOf(attachment["command"]),
    durationMs: numberOf(attachment["durationMs"]),
  };
  const isCounted = !summed.has(event);
  switch (attachment["type"]) {
    case "hook_success": {
      const injectedChars = injectedBy(event, textOf(attachment["stdout"]) ?? "");
      return isCounted || injectedChars > 0 ? [{ ...about, injectedChars, isCounted }] : [];
    }
    case "hook_non_blocking_error":
    case "hook_cancelled":
      return isCounted ? [{ ...about, injectedChars: 0, isCounted }] : [];
    case "hook_blocking_error": {
      const error = objectOf(attachment["blockingError"]);
      const injectedChars = (textOf(error["blockingError"]) ?? "").length;
      return [{ ...about, command: about.command ?? textOf(error["command"]), injectedChars, isCounted }];
    }
    default:
      return [];
  }
}

/** At the end of a turn one row lists all hooks that ran, including those without output. */
const summed = new Set(["Stop", "SubagentStop"]);

function endOfTurn(row: Readonly<Record<string, unknown>>): HookRun[] {
  const event = textOf(row["hookLabel"]) ?? "Stop";
  if (!summed.has(event)) return [];
  const infos: readonly unknown[] = Array.isArray(row["hookInfos"]) ? row["hookInfos"] : [];
  return infos.map((info) => {
    const { command, durationMs } = objectOf(info);
    return {
      event,
      command: textOf(command),
      durationMs: numberOf(durationMs),
      injectedChars: 0,
      isCounted: true,
    };
  });
}

/**
 * Characters of a hook's output that go into the context: the part its JSON names, or all of it at events that
 * accept plain text.
 */
function injectedBy(event: string, stdout: string): number {
  const text = stdout.trim();
  const output = text.startsWith("{") ? parseJson(text) : undefined;
  if (output === undefined) return plainTextEvents.has(event) ? text.length : 0;
  const specific = objectOf(objectOf(output)["hookSpecificOutput"]);
  return (textOf(specific["additionalContext"]) ?? "").length;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : null;
}

/**
 * Tests whether Claude Code itself wrote a prompt: it wakes the agent with one when a background subagent, workflow or
 * command has ended. Seen with 2.1.332, in transcripts and in the prompt hook.
 */
export function isTaskNotification(prompt: string): boolean {
  return prompt.startsWith("<task-notification>");
}

/** Tests the same in a transcript, where newer versions name a prompt's origin. @param origin the row's `turnOrigin` */
export function isNotified(origin: string | null | undefined, prompt: string): boolean {
  return typeof origin === "string" ? origin === "task_notification" : isTaskNotification(prompt);
}
