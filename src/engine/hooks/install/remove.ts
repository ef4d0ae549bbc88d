import { errorCode } from "../../base/error-code.ts";
import { succeed, type Result } from "../../base/result.ts";
import { listRecords, type InstallRecord, type RecordPorts } from "./record.ts";
import { makeChange, type ChangeReason } from "./make-change.ts";
import { planUninstall, type HookChange, type PlanReason } from "./plan-change.ts";
import { settingsOf } from "./settings/recorded.ts";
import { contentHash, readSettings, type SettingsReason } from "./settings/disk.ts";
import type { HookFileInput } from "./settings/agent-file.ts";

/** What became of one file. */
export interface Removal {
  readonly file: string;
  /** `kept`: somebody changed a file that was purser's, so it is theirs. */
  readonly outcome: "removed" | "kept" | "failed";
  readonly detail: string;
}

/**
 * Takes out everything that this user installed on this machine, as uninstalling each does: settings are again what they were, byte for
 * byte, where nobody changed them since. What comes with hooks goes before them. One file that cannot be changed keeps no other.
 */
export async function removeInstalled(world: RecordPorts & HookFileInput): Promise<Removal[]> {
  const records = await listRecords(world);
  const removals: Removal[] = [];
  const isSettings = (record: InstallRecord) => settingsOf(record, world) !== null;
  for (const record of [...records.filter((each) => !isSettings(each)), ...records.filter(isSettings)]) {
    const planned = await planRemoval(record, world);
    const made = planned.ok ? await makeChange(planned.value, world) : planned;
    const [file, detail] = [record.target, made.ok ? "" : made.detail];
    const isKept = planned.ok && !isSettings(record) && !planned.value.isNeeded;
    removals.push({ file, outcome: made.ok ? (isKept ? "kept" : "removed") : "failed", detail });
  }
  await removeFolders(records, world);
  return removals;
}

async function planRemoval(
  record: InstallRecord,
  world: RecordPorts & HookFileInput,
): Promise<Result<HookChange, PlanReason | ChangeReason>> {
  const settings = settingsOf(record, world);
  return settings === null ? await planOwnRemoval(record, world) : await planUninstall(settings, world);
}

/** Of a file that is purser's as a whole, as long as nobody changed it. */
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

/** Folders that were made for what is gone, the innermost first: one made for a file may have held others. */
async function removeFolders(records: readonly InstallRecord[], { disk }: RecordPorts): Promise<void> {
  const folders = [...new Set(records.flatMap((record) => record.folders))];
  for (const folder of folders.toSorted((one, other) => other.length - one.length))
    try {
      await disk.removeFolder(folder);
    } catch (error) {
      // Somebody has something in it, or it is gone.
      errorCode(error);
    }
}
