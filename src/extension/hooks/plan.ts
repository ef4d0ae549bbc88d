import { succeed, type Result } from "../../engine/base/result.ts";
import {
  type ChangeReason,
  makeChange,
  type WholeInstall,
  planWholeUninstall,
  planWholeInstall,
  type InstallReason,
  type InstallContext,
  type HookChange,
  type SkillPlan,
} from "../../engine/hooks/install.ts";
import type { HookTarget } from "./hooks-context.ts";

/** Plans an installation, with only the changes that are needed. */
export async function planToInstall(
  target: HookTarget,
  context: InstallContext,
  more: { readonly statusLine: boolean },
): Promise<Result<WholeInstall, InstallReason>> {
  const planned = await planWholeInstall(target, context, more);
  if (!planned.ok) return planned;
  return succeed({ ...planned.value, changes: needed(planned.value.changes) });
}

/** The changes of an uninstallation. */
export interface UninstallPlan {
  readonly file: string;
  readonly skill: SkillPlan | null;
  /** The changes that are needed, to be made in this order. */
  readonly changes: readonly HookChange[];
  /** Whether the settings will be restored to before the first hook, byte for byte. */
  readonly isRestored: boolean;
}

export async function planToUninstall(
  target: HookTarget,
  context: InstallContext,
): Promise<Result<UninstallPlan, InstallReason>> {
  const planned = await planWholeUninstall(target, context);
  if (!planned.ok) return planned;
  const { file, change, changes, skill } = planned.value;
  // A settings file without our hooks is already as it was.
  const isRestored = change.isRestored || !change.isNeeded;
  return succeed({ file: file.file, skill, changes: needed(changes), isRestored });
}

/** Makes changes in order, stopping at the first that fails. Returns the backup of the settings. */
export async function makeChanges(
  changes: readonly HookChange[],
  context: InstallContext,
): Promise<Result<{ readonly backup: string | null }, ChangeReason>> {
  let backup: string | null = null;
  for (const change of changes) {
    const made = await makeChange(change, context);
    if (!made.ok) return made;
    backup ??= made.value.backup;
  }
  return succeed({ backup });
}

function needed(changes: readonly HookChange[]): HookChange[] {
  return changes.filter(({ isNeeded }) => isNeeded);
}
