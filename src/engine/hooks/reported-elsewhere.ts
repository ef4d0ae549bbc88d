import { readSmallText } from "../base/disk/read-small-text.ts";
import type { HomeInput } from "../base/disk/home.ts";
import { copilotFile, copilotFolder } from "./install/settings/copilot-file.ts";
import { markFor } from "./install/settings/install-settings-entry.ts";
import type { HookCaller, HookProgram } from "./program.ts";

/** Larger settings files are not read. Bytes. */
const maxFileSize = 1024 * 1024;

/**
 * Whether another of purser's hooks reports the same event. Copilot CLI and VS Code's own chat run a
 * project's hook for Claude Code, in addition to purser's own hook for Copilot CLI. Only the latter then
 * counts, and is answered.
 * @param program the agent whose settings contain the hook
 * @param caller the program that runs it
 */
export function isReportedElsewhere(
  { program, caller, hook }: { program: HookProgram; caller: HookCaller; hook: unknown },
  input: HomeInput,
): boolean {
  if (caller === program || program !== "claude-code") return false;
  const folder: unknown = typeof hook === "object" && hook !== null ? Reflect.get(hook, "cwd") : undefined;
  const project = input.env["COPILOT_PROJECT_DIR"] ?? (typeof folder === "string" ? folder : null);
  const folders = [copilotFolder(input), ...(project === null ? [] : [copilotFolder(project)])];
  return folders.some((each) => {
    const text = readSmallText(copilotFile(each), maxFileSize);
    return text?.includes(markFor("copilot", "")) === true;
  });
}
