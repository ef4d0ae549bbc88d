import type { HookCaller } from "./program.ts";

/**
 * Returns the folder that a command of an agent runs in; null where that is not known. Claude Code reports its shell's folder. Gemini CLI
 * starts each command anew, where the call says. Of others the hook tells neither.
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
