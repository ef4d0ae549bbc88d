import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { HookProgram } from "../program.ts";
import type { HookChange } from "./plan-change.ts";
import { listRecords, type RecordPorts } from "./hooks-install-record.ts";
import type { HookFile, HookFileInput } from "./settings/agent-file.ts";
import type { SettingsReason } from "./settings/disk.ts";
import { fileModes, planOwnedFile } from "./settings/owned-file.ts";
import { settingsOf } from "./settings/recorded.ts";
import type { Shim } from "./settings/shim-command.ts";

/**
 * A file in purser's own folder that loads the shim. Codex and Gemini CLI trust a hook by its text, and the
 * shim's path changes with each extension update. So their hooks run this file, which keeps its path. An
 * update, or a move to another editor, writes only this file.
 */
const launched: readonly HookProgram[] = ["codex", "gemini"];

export interface LauncherContext extends RecordPorts, HookFileInput {
  readonly shim: Shim;
  readonly readText: (file: string) => string | null;
}

function isLaunched(program: HookProgram): boolean {
  return launched.includes(program);
}

/** The launcher is next to the install records. */
function launcherPath({ records }: Pick<RecordPorts, "records">): string {
  return path.join(path.dirname(records), "hook.cjs");
}

/** The shim for the hooks of an agent's settings. */
export function shimFor(program: HookProgram, context: Pick<LauncherContext, "shim" | "records">): Shim {
  const { shim } = context;
  return isLaunched(program) ? { ...shim, path: launcherPath(context) } : shim;
}

function launcherText({ path: shim }: Shim): string {
  return `// Context Purser's hooks run this file: their text stays the same, whatever version of purser it loads.\nrequire(${JSON.stringify(shim)});\n`;
}

export function isLauncher(shim: string, context: Pick<LauncherContext, "records" | "isSame">): boolean {
  return context.isSame(shim, launcherPath(context));
}

/** Returns the shim that a hook finally runs; for the launcher, the one it loads. Null if unknown. */
export function shimBehind(shim: string, context: LauncherContext): string | null {
  if (!isLauncher(shim, context)) return shim;
  const content = context.readText(launcherPath(context)) ?? "";
  const { text } = /^require\((?<text>".*")\);$/mu.exec(content)?.groups ?? {};
  if (text === undefined) return null;
  try {
    return String(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Plans writing the launcher, or removing it with the last hooks that run it. No changes for an agent without
 * a launcher. Writes nothing.
 * @param settings the settings file with the hooks that run it
 */
export async function planLauncher(
  act: HookChange["act"],
  { program, file }: Pick<HookFile, "program" | "file">,
  context: LauncherContext,
): Promise<Result<readonly HookChange[], SettingsReason>> {
  if (!isLaunched(program)) return succeed([]);
  if (act === "uninstall" && (await isNeededElsewhere(file, context))) return succeed([]);
  const target = { file: launcherPath(context), mode: fileModes.own };
  const planned = await planOwnedFile(act, target, launcherText(context.shim), context);
  return planned.ok ? succeed([planned.value.change]) : planned;
}

async function isNeededElsewhere(file: string, context: LauncherContext): Promise<boolean> {
  const records = await listRecords(context);
  return records.some((record) => {
    const settings = settingsOf(record, context);
    return settings !== null && isLaunched(settings.program) && !context.isSame(settings.file, file);
  });
}
