import path from "node:path";
import type { Sentence } from "../../base/language.ts";
import { insideProject, purserPaths } from "../../base/paths.ts";
import { type Result, succeed } from "../../base/result.ts";
import { listRecords, type InstallRecord, type RecordPorts, settingsOf } from "./hooks-install-record.ts";
import { makeChange, type ChangeReason, removeEmpty } from "./make-change.ts";
import { planUninstall, type HookChange, type PlanReason } from "./plan-change.ts";
import { contentHash, readSettings, type SettingsReason } from "./settings/disk.ts";
import type { HookFile, HookFileInput } from "./settings/agent-file.ts";
import type { HookProgram } from "../program.ts";
import { fileModes, planOwnedFile } from "./settings/owned-file.ts";
import { hookScript, shimInScript } from "./settings/hook-script.ts";
import type { Shim } from "./settings/install-settings-entry.ts";
import { parseJson } from "../../base/parse.ts";

/**
 * Files in purser's own folder that lead to the shim: `hook.sh` for a user's own settings, and `hook.cjs` for others and on Windows. Codex and
 * Gemini CLI trust a hook by its text, and the shim's path changes with each extension update. So their hooks run a file that keeps its path. An
 * update, or a move to another editor, writes only this file.
 */
const launched: readonly HookProgram[] = ["codex", "gemini"];

interface LauncherContext extends RecordPorts, HookFileInput {
  readonly shim: Shim;
  readonly platform: NodeJS.Platform;
  readonly readText: (file: string) => string | null;
}

type Settings = Pick<HookFile, "program" | "scope">;

function isLaunched({ program }: Settings): boolean {
  return launched.includes(program);
}

function launcherPath({ records }: Pick<RecordPorts, "records">): string {
  return path.join(path.dirname(records), "hook.cjs");
}

export function scriptPath({ records }: Pick<RecordPorts, "records">): string {
  return path.join(path.dirname(records), "hook.sh");
}

/** Whether commands run the script: in settings that only this user reads, as it is in the user's own folder. */
export function isScripted({ scope }: Settings, { platform }: Pick<LauncherContext, "platform">): boolean {
  return platform !== "win32" && scope !== "project";
}

export function shimFor(program: HookProgram, context: Pick<LauncherContext, "shim" | "records">): Shim {
  const { shim } = context;
  return launched.includes(program) ? { ...shim, path: launcherPath(context) } : shim;
}

function launcherText({ path: shim }: Shim): string {
  return `// Context Purser's hooks run this file: their text stays the same, whatever version of purser it loads.\nrequire(${JSON.stringify(shim)});\n`;
}

export function isLauncher(shim: string, context: Pick<LauncherContext, "records" | "isSame">): boolean {
  return [launcherPath, scriptPath].some((pathOf) => context.isSame(shim, pathOf(context)));
}

export function isScript(shim: string, context: Pick<LauncherContext, "records" | "isSame">): boolean {
  return context.isSame(shim, scriptPath(context));
}

/** The script's text for a shim. */
export function scriptText(context: Pick<LauncherContext, "shim" | "records" | "home">): string {
  const folder = path.dirname(context.records);
  return hookScript(context.shim, purserPaths({ env: { PURSER_HOME: folder }, home: context.home }));
}

/** Returns the shim that a hook finally runs; for the launcher, the one it loads. Null if unknown. */
export function shimBehind(shim: string, context: LauncherContext): string | null {
  if (!isLauncher(shim, context)) return shim;
  if (isScript(shim, context)) return shimInScript(context.readText(shim) ?? "");
  const content = context.readText(launcherPath(context)) ?? "";
  const { text } = /^require\((?<text>".*")\);$/mu.exec(content)?.groups ?? {};
  const target = parseJson(text ?? "");
  return typeof target === "string" ? target : null;
}

/**
 * Plans writing the launchers that the hooks run, or removing them with the last of these hooks. Writes nothing.
 * @param settings the settings file with the hooks that run them
 * @param named the programs that its hooks name already
 */
export async function planLauncher(
  act: HookChange["act"],
  settings: Pick<HookFile, "program" | "scope" | "file">,
  context: LauncherContext,
  named: readonly string[] = [],
): Promise<Result<readonly HookChange[], SettingsReason>> {
  const launchers = [
    {
      file: scriptPath(context),
      text: scriptText(context),
      isUsed: (by: Settings) => isScripted(by, context),
    },
    {
      file: launcherPath(context),
      text: launcherText(context.shim),
      // A purser before the script wrote it for the user's own settings too, which may still name it.
      isUsed: (by: Settings) => isLaunched(by) && (act === "uninstall" || !isScripted(by, context)),
    },
  ];
  const changes: HookChange[] = [];
  for (const { file, text, isUsed } of launchers) {
    if (!isUsed(settings) && !named.some((each) => context.isSame(each, file))) continue;
    if (act === "uninstall" && (await isNeededElsewhere(settings.file, isUsed, context))) continue;
    const planned = await planOwnedFile(act, { file, mode: fileModes.own }, text, context);
    if (!planned.ok) return planned;
    changes.push(planned.value.change);
  }
  return succeed(changes);
}

async function isNeededElsewhere(
  file: string,
  isUsed: (settings: Settings) => boolean,
  context: LauncherContext,
): Promise<boolean> {
  const records = await listRecords(context);
  return records.some((record) => {
    const settings = settingsOf(record, context);
    return settings !== null && isUsed(settings) && !context.isSame(settings.file, file);
  });
}

export interface Removal {
  readonly file: string;
  /** `kept`: somebody changed purser's file, so it belongs to them now. */
  readonly outcome: "removed" | "kept" | "failed";
  readonly detail: Sentence | null;
}

/**
 * Removes everything that this user installed on this machine, as each uninstall would. Restores settings
 * byte for byte if nobody changed them since. Removes the skill and the mod before the settings, and the hook
 * program after them. A file that cannot be changed does not stop the others.
 */
export async function removeInstalled(context: RecordPorts & HookFileInput): Promise<Removal[]> {
  const records = await listRecords(context);
  const removals: Removal[] = [];
  const isSettings = (record: InstallRecord) => settingsOf(record, context) !== null;
  const projects = records.flatMap((record) => {
    const settings = settingsOf(record, context);
    return settings === null || settings.scope === "user" ? [] : [projectWith(settings)];
  });
  const isLast = ({ target }: InstallRecord) => isLauncher(target, context);
  const others = records.filter((each) => !isSettings(each) && !isLast(each));
  for (const record of [...others, ...records.filter(isSettings), ...records.filter(isLast)]) {
    const planned = await planRemoval(record, projects, context);
    const made = planned.ok ? await makeChange(planned.value, context) : planned;
    const [file, detail] = [record.target, made.ok ? null : made.detail];
    const isKept = planned.ok && !isSettings(record) && !planned.value.isNeeded;
    removals.push({ file, outcome: made.ok ? (isKept ? "kept" : "removed") : "failed", detail });
  }
  // A folder created for one file may contain others.
  const folders = [...new Set(records.flatMap((record) => record.folders))];
  await removeEmpty(
    folders.toSorted((one, other) => one.length - other.length),
    context.disk,
  );
  return removals;
}

async function planRemoval(
  record: InstallRecord,
  projects: readonly string[],
  context: RecordPorts & HookFileInput,
): Promise<Result<HookChange, PlanReason | ChangeReason | "outside_project">> {
  const settings = settingsOf(record, context);
  const planned =
    settings === null ? await planOwnRemoval(record, context) : await planUninstall(settings, context);
  if (!planned.ok || !planned.value.isNeeded) return planned;
  const { file } = planned.value.settings;
  for (const project of projects.filter((each) => file.startsWith(`${each}${path.sep}`))) {
    const inside = insideProject(file, project);
    if (!inside.ok) return inside;
  }
  return planned;
}

/** Returns the project of a settings file: it is in a folder of the project's, or in a folder of that one. */
function projectWith({ program, file }: HookFile): string {
  return path.resolve(file, program === "copilot" ? "../../.." : "../..");
}

/** Plans removing a file that is entirely purser's, if it is unchanged. */
async function planOwnRemoval(
  record: InstallRecord,
  { disk }: RecordPorts,
): Promise<Result<HookChange, SettingsReason>> {
  const found = await readSettings(record.target, disk);
  if (!found.ok) return found;
  const settings = found.value;
  const isNeeded = record.after.includes(contentHash(settings.bytes) ?? "");
  return succeed({
    act: "uninstall",
    settings,
    after: null,
    mode: settings.mode,
    isNeeded,
    isRestored: isNeeded,
    record: null,
    remembered: record,
  });
}
