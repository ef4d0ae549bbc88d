import { succeed, type Result } from "../../../base/result.ts";
import { readRecord, type InstallRecord, type RecordPorts } from "../hooks-install-record.ts";
import type { HookChange } from "../plan-change.ts";
import { contentHash, readSettings, type Settings, type SettingsReason } from "./disk.ts";

/**
 * State of a file that is entirely purser's. `foreign`: a file of this name that purser did not write, or
 * that somebody changed.
 */
export type OwnedFileState = "absent" | "installed" | "outdated" | "foreign";

export const fileModes = { own: 0o600, shared: 0o644 };
/** Hashes that are remembered, to recognize our earlier versions. */
const maxHashes = 4;

export interface PlannedFile {
  readonly state: OwnedFileState;
  readonly change: HookChange;
}

/** Plans writing or removing a file of ours. Writes nothing. */
export async function planOwnedFile(
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
    after: [...(remembered?.after ?? []), contentHash(wanted) ?? ""].slice(-maxHashes),
    folders: remembered?.folders ?? [],
    backups: [],
  };
  const isNeeded = state !== "installed";
  return succeed({ state, change: { ...about, after: wanted, isNeeded, isRestored: false, record } });
}

function stateOf({ bytes }: Settings, wanted: Buffer, remembered: InstallRecord | null): OwnedFileState {
  if (bytes === null) return "absent";
  if (bytes.equals(wanted)) return "installed";
  return remembered?.after.includes(contentHash(bytes) ?? "") === true ? "outdated" : "foreign";
}
