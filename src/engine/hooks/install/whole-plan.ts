import { succeed, type Result } from "../../base/result.ts";
import type { HookProgram } from "../program.ts";
import { insideOwnProject, type HookFile, type HookScope } from "./settings/agent-file.ts";
import {
  prepareInstall,
  prepareUninstall,
  type InstallReason,
  type InstallContext,
  type PlannedInstall,
} from "./installer.ts";
import { planLauncher } from "./launcher.ts";
import { planMod } from "./mod-change.ts";
import type { HookChange } from "./plan-change.ts";
import { planSkill, type SkillPlan } from "./skill-change.ts";

interface HookTarget {
  readonly program: HookProgram;
  readonly scope: HookScope;
}

/** Everything an installation changes: the settings, and what accompanies the hooks. */
export interface WholeInstall extends PlannedInstall {
  readonly skill: SkillPlan | null;
  /**
   * Changes in the order to make them: the settings first, since a folder that they need is created for them.
   */
  readonly changes: readonly HookChange[];
}

/**
 * Plans a whole installation. Writes nothing.
 * @param more whether the agent's status line should report its figures to purser, and the mod where no
 * status line is shown
 */
export async function planWholeInstall(
  target: HookTarget,
  context: InstallContext,
  { statusLine }: { readonly statusLine: boolean },
): Promise<Result<WholeInstall, InstallReason>> {
  const planned = await prepareInstall(target.program, target.scope, context, { statusLine });
  if (!planned.ok) return planned;
  const { hasSecret, file } = planned.value.choice;
  const skill = await planSkill("install", file, context);
  if (!skill.ok) return skill;
  // The mod posts its figures, so it is removed where hooks are not posted.
  const mod =
    statusLine || !hasSecret
      ? await planMod(hasSecret ? "install" : "uninstall", file, context)
      : succeed([]);
  if (!mod.ok) return mod;
  const launcher = await planLauncher("install", file, context);
  if (!launcher.ok) return launcher;
  const changes = [planned.value.change, ...(skill.value?.changes ?? []), ...mod.value, ...launcher.value];
  // The launcher is in purser's own home.
  for (const { settings } of [planned.value.change, ...(skill.value?.changes ?? [])]) {
    const inside = insideOwnProject(file.scope, settings.file, context);
    if (!inside.ok) return inside;
  }
  return succeed({ ...planned.value, skill: skill.value, changes });
}

/** Everything an uninstallation changes. */
export interface WholeUninstall {
  readonly file: HookFile;
  readonly change: HookChange;
  readonly skill: SkillPlan | null;
  /** Changes in the order to make them. */
  readonly changes: readonly HookChange[];
}

/** Plans a whole uninstallation. Writes nothing. */
export async function planWholeUninstall(
  target: HookTarget,
  context: InstallContext,
): Promise<Result<WholeUninstall, InstallReason>> {
  const planned = await prepareUninstall(target.program, target.scope, context);
  if (!planned.ok) return planned;
  const { file } = planned.value;
  const skill = await planSkill("uninstall", file, context);
  if (!skill.ok) return skill;
  const mod = await planMod("uninstall", file, context);
  if (!mod.ok) return mod;
  const launcher = await planLauncher("uninstall", file, context);
  if (!launcher.ok) return launcher;
  const changes = [...mod.value, ...(skill.value?.changes ?? []), planned.value.change, ...launcher.value];
  const inProject = [planned.value.change, ...(skill.value?.changes ?? [])].filter(
    ({ isNeeded }) => isNeeded,
  );
  for (const { settings } of inProject) {
    const inside = insideOwnProject(file.scope, settings.file, context);
    if (!inside.ok) return inside;
  }
  return succeed({ ...planned.value, skill: skill.value, changes });
}
