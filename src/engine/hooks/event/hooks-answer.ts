import type { HookEvent } from "./event.ts";
import type { HookCaller } from "../program.ts";

/** A hook answer in purser's own terms; `write-answer.ts` translates it for each agent. Every part is optional. */
export interface HookAnswer {
  readonly context?: string;
  /** Whether the requested action is allowed. */
  readonly permission?: { readonly decision: Permission; readonly reason: string };
  /** New input for the tool, complete. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: ReplacedOutput;
  /** Reason for blocking an action, such as stopping. Read by the agent. */
  readonly block?: string;
  /** Reason for ending the agent's work here. Read by the user. */
  readonly stop?: string;
  readonly notice?: string;
  /** The cause of the answer, such as an advice or a budget. Recorded in the ledger. */
  readonly rule?: string;
}

export interface ReplacedOutput {
  readonly text: string;
  /** The tool's whole response with that text, in the shape in which the agent reported it. */
  readonly response: unknown;
}

/** By increasing strength: among several decisions the strongest wins. */
const permissions = ["allow", "ask", "deny"] as const;
type Permission = (typeof permissions)[number];

export function mergeAnswers(answers: readonly HookAnswer[]): HookAnswer {
  const asked = answers.flatMap(({ permission }) => (permission === undefined ? [] : [permission]));
  const strongest = permissions.findLast((level) => asked.some(({ decision }) => decision === level));
  const reasons = asked.filter(({ decision }) => decision === strongest).map(({ reason }) => reason);
  return {
    ...joined(answers, "context"),
    ...joined(answers, "block"),
    ...joined(answers, "stop"),
    ...joined(answers, "notice"),
    ...joined(answers, "rule"),
    ...lastOf(answers, "input"),
    ...lastOf(answers, "output"),
    ...(strongest === undefined
      ? {}
      : { permission: { decision: strongest, reason: joinedText(reasons) ?? "" } }),
  };
}

/** Two replacements cannot be merged: the later handler's is taken. */
function lastOf(answers: readonly HookAnswer[], part: "input" | "output"): HookAnswer {
  const given = answers.findLast((answer) => answer[part] !== undefined)?.[part];
  return given === undefined ? {} : { [part]: given };
}

type TextPart = "context" | "block" | "stop" | "notice" | "rule";

function joined(answers: readonly HookAnswer[], part: TextPart): HookAnswer {
  const all = joinedText(answers.map((answer) => answer[part]));
  return all === undefined ? {} : { [part]: all };
}

function joinedText(texts: readonly (string | undefined)[]): string | undefined {
  const present = texts.filter((text) => text !== undefined && text !== "");
  return present.length === 0 ? undefined : present.join("\n");
}

export type Outcome =
  | Permission
  | "block"
  | "stop"
  | "replace"
  | "advise"
  | "notice"
  | "none"
  | "failed"
  | "late"
  | "unknown_event";

export function outcomeOf({ context, permission, block, stop, notice, input, output }: HookAnswer): Outcome {
  if (permission?.decision === "deny") return "deny";
  if (stop !== undefined) return "stop";
  if (block !== undefined) return "block";
  if (permission !== undefined) return permission.decision;
  if (input !== undefined || output !== undefined) return "replace";
  if (context !== undefined) return "advise";
  return notice === undefined ? "none" : "notice";
}

type CallEvent = Pick<HookEvent, "hook_event_name"> & {
  readonly tool_name?: string | undefined;
  readonly tool_use_id?: string | undefined;
};

/** Id prefixes of nested calls: in Claude Code's code mode, and in Codex's. No other member marks them. */
const nestedIds = ["toolu_cc_", "exec-"];
/** The tool that takes a script. Codex sends no hook for its own. */
const scriptTool = "REPL";

/**
 * Whether a tool call comes from a script and not from the model. The script reads the output as data and no
 * context holds it. So the output must stay complete, and a smaller one would save nothing.
 */
export function isNestedCall({ tool_use_id: id = "" }: Pick<CallEvent, "tool_use_id">): boolean {
  return nestedIds.some((start) => id.startsWith(start));
}

export function isScript({ tool_name: tool }: Pick<CallEvent, "tool_name">): boolean {
  return tool === scriptTool;
}

/** Tests whether the input or the output of a call is program text or data, which an answer must not replace. */
export function isData(part: "input" | "output", event: CallEvent): boolean {
  return isNestedCall(event) || (part === "input" && isScript(event));
}

/**
 * Returns the folder in which an agent's command runs. Null if unknown. Claude Code reports its shell's
 * folder. Gemini CLI starts a new shell for each command, in the call's folder. Hooks of other agents report
 * neither.
 */
export function shellFolder(
  program: HookCaller,
  { cwd, tool_input: input }: { readonly cwd?: string | undefined; readonly tool_input?: unknown },
): string | null {
  if (program === "claude-code") return cwd ?? null;
  const isMoved =
    typeof input === "object" &&
    input !== null &&
    ["dir_path", "directory", "workdir", "cwd"].some((name) => Reflect.get(input, name) !== undefined);
  return program === "gemini" && !isMoved ? (cwd ?? null) : null;
}
