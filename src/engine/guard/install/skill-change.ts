import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { HookProgram } from "../hook-program.ts";
import { skillName, skillText } from "./check-skill.ts";
import { hookFile, type HookFileInput, type HookScope } from "./hook-file.ts";
import { readRecord, type InstallRecord, type RecordPorts } from "./install-record.ts";
import type { HookChange } from "./plan-change.ts";
import { contentHash, readSettings, type Settings, type SettingsReason } from "./settings-disk.ts";
import type { Shim } from "./shim-command.ts";

export interface SkillWorld extends HookFileInput, RecordPorts {
  readonly shim: Shim;
}

/** How the skill stands in a scope: `foreign` is a skill of this name that purser did not write, or that somebody changed. */
type SkillState = "absent" | "installed" | "outdated" | "foreign";

export interface SkillPlan {
  /** The skill's own file. */
  readonly file: string;
  readonly state: SkillState;
  /** To be made in this order; none where it is not ours to change. */
  readonly changes: readonly HookChange[];
}

const ownMode = 0o600;
const sharedMode = 0o644;
/** What an agent's skills have of versions of ours before is known by these. */
const mostHashes = 4;

/** What installing or taking out the skill would change. Null where an agent, or a scope of it, has no skills. Nothing is written. */
export async function planSkill(
  act: HookChange["act"],
  { program, scope }: { readonly program: HookProgram; readonly scope: HookScope },
  world: SkillWorld,
): Promise<Result<SkillPlan | null, SettingsReason>> {
  const settings = hookFile(program, scope, world);
  if (program !== "claude-code" || !settings.ok) return succeed(null);
  const folder = path.join(path.dirname(settings.value.file), "skills", skillName);
  const mode = scope === "project" ? sharedMode : ownMode;
  const skill = await planFile(
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
  const ignore = await planFile(act, { file: path.join(folder, ".gitignore"), mode }, "*\n", world);
  if (!ignore.ok) return ignore;
  const both = ignore.value.state === "foreign" ? [change] : [ignore.value.change, change];
  return succeed({ ...plan, changes: act === "install" ? both : both.toReversed() });
}

interface PlannedFile {
  readonly state: SkillState;
  readonly change: HookChange;
}

async function planFile(
  act: HookChange["act"],
  { file, mode }: { readonly file: string; readonly mode: number },
  text: string,
  ports: RecordPorts,
): Promise<Result<PlannedFile, SettingsReason>> {
  const found = await readSettings(file, ports.disk, mode);
  if (!found.ok) return found;
  const settings = found.value;
  const remembered = await readRecord(settings.target, ports);
  const wanted = Buffer.from(text);
  const state = stateOf(settings, wanted, remembered);
  const about = { act, settings, mode: settings.mode, remembered };
  if (act === "uninstall") {
    const isNeeded = state === "installed" || state === "outdated";
    return succeed({
      state,
      change: { ...about, after: null, isNeeded, isRestored: isNeeded, record: null },
    });
  }
  const record: InstallRecord = {
    schema: 1,
    target: settings.target,
    before: null,
    modeBefore: settings.mode,
    modeAfter: settings.mode,
    after: [...(remembered?.after ?? []), contentHash(wanted) ?? ""].slice(-mostHashes),
    folders: remembered?.folders ?? [],
    backups: [],
  };
  const isNeeded = state !== "installed";
  return succeed({ state, change: { ...about, after: wanted, isNeeded, isRestored: false, record } });
}

function stateOf({ bytes }: Settings, wanted: Buffer, remembered: InstallRecord | null): SkillState {
  if (bytes === null) return "absent";
  if (bytes.equals(wanted)) return "installed";
  return remembered?.after.includes(contentHash(bytes) ?? "") === true ? "outdated" : "foreign";
}
