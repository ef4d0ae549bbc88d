import type { HookCaller, HookProgram } from "./program.ts";

/** The environment of a hook. */
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
