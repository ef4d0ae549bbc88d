import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import { skillName, skillText } from "./check-skill.ts";
import type { HookFile } from "./settings/agent-file.ts";
import type { RecordPorts } from "./hooks-install-record.ts";
import { fileModes, planOwnedFile, type OwnedFileState } from "./settings/owned-file.ts";
import type { HookChange } from "./plan-change.ts";
import type { SettingsReason } from "./settings/disk.ts";
import type { Shim } from "./settings/shim-command.ts";

export interface SkillContext extends RecordPorts {
  readonly shim: Shim;
}

export interface SkillPlan {
  /** Path of the skill's file. */
  readonly file: string;
  /** State of the skill in its scope. */
  readonly state: OwnedFileState;
  /** Changes in the order to make them; empty where the file is not ours to change. */
  readonly changes: readonly HookChange[];
}

/**
 * Plans installing or removing the skill. Null where an agent has no skills. Writes nothing.
 * @param settings the settings file whose hooks it accompanies
 */
export async function planSkill(
  act: HookChange["act"],
  { program, scope, file: settings }: Omit<HookFile, "choice">,
  context: SkillContext,
): Promise<Result<SkillPlan | null, SettingsReason>> {
  if (program !== "claude-code") return succeed(null);
  const folder = path.join(path.dirname(settings), "skills", skillName);
  const mode = scope === "project" ? fileModes.shared : fileModes.own;
  const skill = await planOwnedFile(
    act,
    { file: path.join(folder, "SKILL.md"), mode },
    skillText(context.shim),
    context,
  );
  if (!skill.ok) return skill;
  const { state, change } = skill.value;
  const plan = { file: change.settings.file, state };
  if (state === "foreign") return succeed({ ...plan, changes: [] });
  if (scope !== "local") return succeed({ ...plan, changes: [change] });
  // Skills have no local scope: a skill in the project's folder is excluded from version control instead.
  const ignore = await planOwnedFile(act, { file: path.join(folder, ".gitignore"), mode }, "*\n", context);
  if (!ignore.ok) return ignore;
  const both = ignore.value.state === "foreign" ? [change] : [ignore.value.change, change];
  return succeed({ ...plan, changes: act === "install" ? both : both.toReversed() });
}
