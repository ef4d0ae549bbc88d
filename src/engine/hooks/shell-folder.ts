import type { HookCaller } from "./program.ts";

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
