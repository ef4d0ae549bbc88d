import { succeed, type Result } from "../engine/base/result.ts";
import {
  prepareInstall,
  prepareUninstall,
  type InstallReason,
  type InstallWorld,
  type PlannedInstall,
} from "../engine/guard/install/installer.ts";
import { makeChange, type ChangeReason } from "../engine/guard/install/make-change.ts";
import type { HookChange } from "../engine/guard/install/plan-change.ts";
import { planMod } from "../engine/guard/install/mod-change.ts";
import { planSkill, type SkillPlan } from "../engine/guard/install/skill-change.ts";
import type { HookPlaceChosen } from "./hooks-desk.ts";

/** What installing changes: the settings first, since a folder of the agent's that they need is theirs. */
export interface InstallPlan extends PlannedInstall {
  readonly skill: SkillPlan | null;
  /** Those that are needed, to be made in this order. */
  readonly changes: readonly HookChange[];
}

export async function planToInstall(
  place: HookPlaceChosen,
  world: InstallWorld,
  more: { readonly statusLine: boolean },
): Promise<Result<InstallPlan, InstallReason>> {
  const planned = await prepareInstall(place.program, place.scope, world, more);
  if (!planned.ok) return planned;
  const skill = await planSkill("install", place, world);
  if (!skill.ok) return skill;
  const mod = more.statusLine ? await planMod("install", place, world) : succeed([]);
  if (!mod.ok) return mod;
  const changes = needed([planned.value.change, ...(skill.value?.changes ?? []), ...mod.value]);
  return succeed({ ...planned.value, skill: skill.value, changes });
}

/** What taking out changes. */
export interface UninstallPlan {
  readonly file: string;
  readonly skill: SkillPlan | null;
  readonly changes: readonly HookChange[];
  /** Whether the settings will be as they were before the first hook, byte for byte. */
  readonly isRestored: boolean;
}

export async function planToUninstall(
  place: HookPlaceChosen,
  world: InstallWorld,
): Promise<Result<UninstallPlan, InstallReason>> {
  const planned = await prepareUninstall(place.program, place.scope, world);
  if (!planned.ok) return planned;
  const skill = await planSkill("uninstall", place, world);
  if (!skill.ok) return skill;
  const mod = await planMod("uninstall", place, world);
  if (!mod.ok) return mod;
  const { file, change } = planned.value;
  const changes = needed([...mod.value, ...(skill.value?.changes ?? []), change]);
  // A settings file without hooks of ours is as it was.
  const isRestored = change.isRestored || !change.isNeeded;
  return succeed({ file: file.file, skill: skill.value, changes, isRestored });
}

/** Makes changes one after the other, up to the first that cannot be made. Answers the copy of what was in the settings. */
export async function makeChanges(
  changes: readonly HookChange[],
  world: InstallWorld,
): Promise<Result<{ readonly backup: string | null }, ChangeReason>> {
  let backup: string | null = null;
  for (const change of changes) {
    const made = await makeChange(change, world);
    if (!made.ok) return made;
    backup ??= made.value.backup;
  }
  return succeed({ backup });
}

function needed(changes: readonly HookChange[]): HookChange[] {
  return changes.filter(({ isNeeded }) => isNeeded);
}
