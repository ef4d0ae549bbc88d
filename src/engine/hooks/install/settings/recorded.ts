import path from "node:path";
import { hookPrograms } from "../../program/probe.ts";
import { hookFile, type HookFile, type HookFileInput } from "./agent-file.ts";
import type { InstallRecord } from "../hooks-install-record.ts";

/** Returns the agent settings of a record, in older ones judged by path; null for a file wholly purser's. */
export function settingsOf({ settings, target }: InstallRecord, context: HookFileInput): HookFile | null {
  if (settings !== undefined) return { ...settings, choice: null };
  for (const program of hookPrograms) {
    const user = hookFile(program, "user", context);
    if (user.ok && context.isSame(user.value.file, target)) return user.value;
  }
  const folderName = path.basename(path.dirname(target));
  const name = `${folderName}/${path.basename(target)}`;
  const known = projectFolders[name];
  return known === undefined ? null : { ...known, file: target, choice: null };
}

const projectFolders: Readonly<Record<string, Pick<HookFile, "program" | "scope">>> = {
  ".claude/settings.json": { program: "claude-code", scope: "project" },
  ".claude/settings.local.json": { program: "claude-code", scope: "local" },
  ".codex/hooks.json": { program: "codex", scope: "project" },
  ".gemini/settings.json": { program: "gemini", scope: "project" },
  "hooks/purser.json": { program: "copilot", scope: "project" },
};
