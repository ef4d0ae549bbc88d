import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { HookFile } from "./settings/agent-file.ts";
import type { RecordPorts } from "./record.ts";
import { modFiles, modName } from "./measure-mod.ts";
import { fileModes, planOwnedFile, type PlannedFile } from "./settings/owned-file.ts";
import type { HookChange } from "./plan-change.ts";
import type { SettingsReason } from "./settings/disk.ts";

/**
 * What installing or taking out the mod would change: none where an agent, or a scope of it, has none, and none where one of its files is
 * not ours to change. It runs in the agent's own process, so only the user's own folder gets it. Nothing is written.
 */
export async function planMod(
  act: HookChange["act"],
  { program, scope, file: settings }: Omit<HookFile, "choice">,
  world: RecordPorts,
): Promise<Result<readonly HookChange[], SettingsReason>> {
  if (program !== "claude-code" || scope !== "user") return succeed([]);
  const folder = path.join(path.dirname(settings), "skills", modName);
  // purser's home has both the records of what was installed and the file that says where hooks are answered.
  const address = path.join(path.dirname(world.records), "hooks.json");
  const planned: PlannedFile[] = [];
  for (const { place, text } of modFiles(address)) {
    const file = await planOwnedFile(
      act,
      { file: path.join(folder, place), mode: fileModes.own },
      text,
      world,
    );
    if (!file.ok) return file;
    planned.push(file.value);
  }
  const isOurs = planned.every(({ state }) => state !== "foreign");
  const changes = planned.map(({ change }) => change);
  if (act === "uninstall") return succeed(changes.filter(({ isNeeded }) => isNeeded).toReversed());
  return succeed(isOurs ? changes : []);
}
