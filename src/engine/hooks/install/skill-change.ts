import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import { skillName, skillText } from "./check-skill.ts";
import type { HookFile } from "./settings/agent-file.ts";
import type { RecordPorts } from "./record.ts";
import { fileModes, planOwnedFile, type OwnedFileState } from "./settings/owned-file.ts";
import type { HookChange } from "./plan-change.ts";
import type { SettingsReason } from "./settings/disk.ts";
import type { Shim } from "./settings/shim-command.ts";

export interface SkillWorld extends RecordPorts {
  readonly shim: Shim;
}

export interface SkillPlan {
  /** The skill's own file. */
  readonly file: string;
  /** How it stands in its scope. */
  readonly state: OwnedFileState;
  /** To be made in this order; none where it is not ours to change. */
  readonly changes: readonly HookChange[];
}

/**
 * What installing or taking out the skill would change. Null where an agent has no skills. Nothing is written.
 * @param settings the file with the hooks that it goes with
 */
export async function planSkill(
  act: HookChange["act"],
  { program, scope, file: settings }: Omit<HookFile, "choice">,
  world: SkillWorld,
): Promise<Result<SkillPlan | null, SettingsReason>> {
  if (program !== "claude-code") return succeed(null);
  const folder = path.join(path.dirname(settings), "skills", skillName);
  const mode = scope === "project" ? fileModes.shared : fileModes.own;
  const skill = await planOwnedFile(
    act,
    { file: path.join(folder, "SKILL.md"), mode },
    skillText(world.shim),
    world,
  );
  if (!skill.ok) return skill;
  const { state, change } = skill.value;
  const plan = { file: change.settings.file, state };
  if (state === "foreign") return succeed({ ...plan, changes: [] });
  if (scope !== "local") return succeed({ ...plan, changes: [change] });
  // A skill has no local scope: in the project's folder it is kept out of what is shared.
  const ignore = await planOwnedFile(act, { file: path.join(folder, ".gitignore"), mode }, "*\n", world);
  if (!ignore.ok) return ignore;
  const both = ignore.value.state === "foreign" ? [change] : [ignore.value.change, change];
  return succeed({ ...plan, changes: act === "install" ? both : both.toReversed() });
}
