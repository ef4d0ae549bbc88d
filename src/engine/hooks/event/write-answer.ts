import type { HookCaller } from "../program.ts";
import { type HookAnswer, mergeAnswers, isData, isNestedCall } from "./hooks-answer.ts";
import { claudeOutput } from "./dialects/claude-output.ts";
import { codexOutput } from "./dialects/codex-output.ts";
import { copilotOutput } from "./dialects/copilot-output.ts";
import type { AnswerPart, Dialect } from "./dialects/dialect.ts";
import { geminiOutput } from "./dialects/gemini-output.ts";
import { vscodeOutput } from "./dialects/vscode-output.ts";
import type { HookEvent, HookEventName } from "./event.ts";

const dialects: Readonly<Record<HookCaller, Dialect>> = {
  "claude-code": claudeOutput,
  codex: codexOutput,
  copilot: copilotOutput,
  gemini: geminiOutput,
  vscode: vscodeOutput,
};

type ReplacedPart = Extract<AnswerPart, "input" | "output">;

export function isHonoured(
  part: Exclude<AnswerPart, ReplacedPart>,
  event: HookEventName,
  caller: HookCaller,
): boolean {
  return isTaken(part, event, caller);
}

/** Whether an agent ever takes another input or output for a call. */
export function canReplace(part: ReplacedPart, caller: HookCaller): boolean {
  return dialects[caller].honoured[part].length > 0;
}

/**
 * Whether a call's input or output may be replaced: the agent accepts it, and no script needs the original.
 */
export function mayReplace(part: ReplacedPart, event: HookEvent, caller: HookCaller): boolean {
  return isTaken(part, event.hook_event_name, caller) && !isData(part, event);
}

function isTaken(part: AnswerPart, event: HookEventName, caller: HookCaller): boolean {
  const events = dialects[caller].honoured[part];
  return events === "all" || events.includes(event);
}

export function permissionsOf(caller: HookCaller): Dialect["permissions"] {
  return dialects[caller].permissions;
}

/**
 * Returns the parts of an answer that the agent honours at this event; it would ignore the others, or report
 * an error. An agent that already continues after a blocked stop is not blocked again: most agents would
 * never end. Data for a script is never replaced.
 */
export function honouredPart(event: HookEvent, answer: HookAnswer, caller: HookCaller): HookAnswer {
  const { context, permission, block, stop, notice, rule, input, output } = withNotice(event, answer);
  const { permissions, maxTextLength } = dialects[caller];
  const name = event.hook_event_name;
  const isKept = "stop_hook_active" in event && event.stop_hook_active === true;
  const text = (part: Exclude<AnswerPart, ReplacedPart>, value: string | undefined) =>
    value === undefined || !isHonoured(part, name, caller) ? {} : { [part]: fitting(value, maxTextLength) };
  const isAllowed =
    permission !== undefined &&
    permissions.includes(permission.decision) &&
    isHonoured("permission", name, caller);
  return {
    ...text("context", context),
    ...(isAllowed
      ? { permission: { ...permission, reason: fitting(permission.reason, maxTextLength) } }
      : {}),
    ...(isKept ? {} : text("block", block)),
    ...text("stop", stop),
    ...text("notice", notice),
    ...(input !== undefined && mayReplace("input", event, caller) ? { input } : {}),
    ...(output !== undefined && mayReplace("output", event, caller) ? { output } : {}),
    ...(rule === undefined ? {} : { rule }),
  };
}

/** After a nested call, some agents hand the reason of a block to the script in place of the output: it becomes context. */
function withNotice(event: HookEvent, answer: HookAnswer): HookAnswer {
  const { block, ...others } = answer;
  const isAfterNested = event.hook_event_name === "PostToolUse" && isNestedCall(event);
  return block === undefined || !isAfterNested ? answer : mergeAnswers([{ context: block }, others]);
}

/** Truncates a text: other hooks share the agent's limit with ours. */
function fitting(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A split surrogate pair must not remain: some JSON parsers reject it.
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/u, "");
}

/** Formats the honoured part of an answer in the agent's own format. Empty without an answer. */
export function writeAnswer(event: HookEventName, answer: HookAnswer, caller: HookCaller): string {
  const output = dialects[caller].write(event, answer);
  if (typeof output === "string") return output;
  return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
}
