import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { HookFile } from "./settings/agent-file.ts";
import type { RecordPorts } from "./hooks-install-record.ts";
import { modFiles, modName } from "./measure-mod.ts";
import { fileModes, planOwnedFile, type PlannedFile } from "./settings/owned-file.ts";
import type { HookChange } from "./plan-change.ts";
import type { SettingsReason } from "./settings/disk.ts";

/**
 * Plans installing or removing the mod: no changes where an agent or scope has none, or one of the files is not ours to change. The mod
 * runs in the agent's own process, so only the user's own folder gets it. Writes nothing.
 */
export async function planMod(
  act: HookChange["act"],
  { program, scope, file: settings }: Omit<HookFile, "choice">,
  context: RecordPorts,
): Promise<Result<readonly HookChange[], SettingsReason>> {
  if (program !== "claude-code" || scope !== "user") return succeed([]);
  const folder = path.join(path.dirname(settings), "skills", modName);
  // purser's home contains both the installation records and `hooks.json`, the file with the hook server's address.
  const address = path.join(path.dirname(context.records), "hooks.json");
  const planned: PlannedFile[] = [];
  for (const { path: relativePath, text } of modFiles(address)) {
    const file = await planOwnedFile(
      act,
      { file: path.join(folder, relativePath), mode: fileModes.own },
      text,
      context,
    );
    if (!file.ok) return file;
    planned.push(file.value);
  }
  const isOurs = planned.every(({ state }) => state !== "foreign");
  const changes = planned.map(({ change }) => change);
  if (act === "uninstall") return succeed(changes.filter(({ isNeeded }) => isNeeded).toReversed());
  return succeed(isOurs ? changes : []);
}
