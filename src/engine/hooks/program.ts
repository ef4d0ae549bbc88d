import type { AgentName } from "../transcripts/agents.ts";

/** The agents that purser's hooks can be installed for, by their names in the ledger. */
export const hookPrograms = [
  "claude-code",
  "codex",
  "copilot",
  "gemini",
] as const satisfies readonly AgentName[];
export type HookProgram = (typeof hookPrograms)[number];

/** Programs that run hooks. VS Code's own chat runs those installed for Copilot CLI, and for Claude Code. */
export const hookCallers = [...hookPrograms, "vscode"] as const;
export type HookCaller = (typeof hookCallers)[number];

export function hookPath(caller: HookCaller): string {
  return `/hook/${caller}`;
}

/** Returns undefined for a path that takes no hooks. */
export function callerOfPath(path: string): HookCaller | undefined {
  return hookCallers.find((caller) => hookPath(caller) === path);
}

/**
 * Two headers carry facts from the agent's environment that no hook body has: whether team agents can message
 * each other, and how the session was started, which shows whether it is attended. Lower case, as Node
 * presents header names.
 */
export const teamsHeader = "x-purser-teams";
export const entryHeader = "x-purser-entry";

/**
 * Whether a person sees the agent's questions, from how the session was started. `sdk-cli` is `claude -p`; a
 * program built on the agent's SDK may or may not ask its user. Other values are terminals and editors.
 */
export function isAttended(entry: string | undefined): boolean {
  return entry?.startsWith("sdk") !== true;
}

/** Environment variables of Claude Code that are sent in these headers. */
export const forwardedVariables = {
  [teamsHeader]: "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS",
  [entryHeader]: "CLAUDE_CODE_ENTRYPOINT",
} as const;

/** Environment variables that `callerOf` needs, by the headers in which a hook without the hook program sends them. */
export const callerVariables = {
  "x-purser-copilot": "COPILOT_CLI",
  "x-purser-editor": "VSCODE_ESM_ENTRYPOINT",
} as const;

/** Events whose commands always run the hook program. A session's start offers a newer build to the service; a permission request waits for a person. */
export const eventsWithShim: readonly string[] = ["SessionStart", "Setup", "PermissionRequest"];

export function isWithShim(event: string): boolean {
  return eventsWithShim.includes(event);
}

/** Calls that guards judge before they run, in the agents' own names. */
export const judgedBefore: readonly string[] = ["PreToolUse", "BeforeTool", "PreSkillShellCommand"];

export function isJudgedBefore(event: string): boolean {
  return judgedBefore.includes(event);
}

/**
 * A call that `purser doctor` sends through an installed hook, as its agent would. It is recognized by its
 * session id, reaches no handler and no record, and returns its route. Loaded by the hook program: imports
 * nothing.
 */
const form = /^purser-probe-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** @param unique a UUID, so that an answer belongs to one call */
export function probeSession(unique: string): string {
  return `purser-probe-${unique}`;
}

export function isProbe(sessionId: unknown): sessionId is string {
  return typeof sessionId === "string" && form.test(sessionId);
}

/** Returns the session of a hook's input where the call is played; null for any other. */
export function probeIn(hook: unknown): string | null {
  const sessionId: unknown =
    typeof hook === "object" && hook !== null ? Reflect.get(hook, "session_id") : undefined;
  return isProbe(sessionId) ? sessionId : null;
}

/** How far a simulated call got. */
interface ProbeAnswer {
  readonly session: string;
  /** The agent, as the answering program identified it. */
  readonly caller: string;
  /** Process id of the service. Null if the hook's program ran without reaching one. */
  readonly servicePid: number | null;
  /** Whether curl passed it on, without the hook program. */
  readonly isByCurl?: boolean;
}

export function probeText(answer: ProbeAnswer): string {
  return JSON.stringify({ purserProbe: answer });
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the program that runs a hook. Copilot CLI also runs a project's hooks for Claude Code, and VS
 * Code's own chat runs those of both. Unlike Claude Code, both send the time of the hook. The environment
 * alone proves nothing: an agent started by another one's tool inherits it. Loaded by the hook program:
 * imports nothing.
 * @param program the agent whose settings contain the hook
 * @param hook its input
 */
export function callerOf(program: HookProgram, hook: unknown, env: Environment): HookCaller {
  if (program !== "claude-code" && program !== "copilot") return program;
  if (memberOf(hook, "timestamp") === undefined) return program;
  if (isInEditor(hook, env)) return "vscode";
  return (env["COPILOT_CLI"] ?? "") === "" ? program : "copilot";
}

/** A chat's transcript is in the folder of the editor's chat extension. Without one, the hook's program is a child of its host. */
function isInEditor(hook: unknown, env: Environment): boolean {
  const transcript = memberOf(hook, "transcript_path") ?? memberOf(hook, "transcriptPath");
  if (typeof transcript === "string" && transcript !== "")
    return /[\\/]github\.copilot-chat[\\/]/iu.test(transcript);
  return (env["COPILOT_CLI"] ?? "") === "" && (env["VSCODE_ESM_ENTRYPOINT"] ?? "").includes("extensionHost");
}

function memberOf(hook: unknown, name: string): unknown {
  return typeof hook === "object" && hook !== null ? Reflect.get(hook, name) : undefined;
}
