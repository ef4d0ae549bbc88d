import path from "node:path";
import * as z from "zod/mini";
import { sha256Hex } from "../../base/hash.ts";
import { writeAtomically } from "../../base/files.ts";
import { errorCode } from "../../base/result.ts";
import { hookPrograms } from "../program.ts";
import { hookScopes, hookFile, type HookFile, type HookFileInput } from "./settings/agent-file.ts";
import type { SettingsDisk } from "./settings/disk.ts";
import { readJson } from "../../base/parse.ts";

/** A record of an installation, by which it can be undone byte for byte. */
const recordSchema = z.object({
  schema: z.literal(1),
  target: z.string(),
  /** The agent settings that the file is; absent for files that are wholly purser's, and in older records. */
  settings: z.optional(
    z.object({ program: z.enum(hookPrograms), scope: z.enum(hookScopes), file: z.string() }),
  ),
  /** The file before our first hook, in base64. Null when there was none. */
  before: z.nullable(z.base64()),
  modeBefore: z.int(),
  modeAfter: z.int(),
  /** Hashes of the versions that purser wrote. A file with one of them was not changed by others. */
  after: z.array(z.string()),
  /** Folders created for it, outermost first. */
  folders: z.array(z.string()),
  /** Backups in the same folder. */
  backups: z.array(z.string()),
});
export type InstallRecord = z.infer<typeof recordSchema>;

export interface RecordPorts {
  readonly disk: SettingsDisk;
  /** Folder of purser's own that contains the records. */
  readonly records: string;
  /** Returns a word that no other process or call uses. */
  readonly unique: () => string;
}

/**
 * Returns null for a missing or damaged record. Our own hooks are then removed, and the old file is not
 * restored.
 */
export async function readRecord(
  target: string,
  { disk, records }: RecordPorts,
): Promise<InstallRecord | null> {
  const record = await readAt(recordFile(target, records), disk);
  return record?.target === target ? record : null;
}

/**
 * Returns the records of everything this user has installed on this machine.
 * @throws the system's error
 */
export async function listRecords({ disk, records }: RecordPorts): Promise<InstallRecord[]> {
  const found: InstallRecord[] = [];
  for (const name of await namesIn(records, disk)) {
    const file = path.join(records, name);
    const record = name.endsWith(".json") ? await readAt(file, disk) : null;
    // Ignores a record that is stored under another target's name.
    if (record !== null && recordFile(record.target, records) === file) found.push(record);
  }
  return found;
}

async function namesIn(folder: string, disk: SettingsDisk): Promise<string[]> {
  try {
    return (await disk.list(folder)).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function readAt(file: string, disk: SettingsDisk): Promise<InstallRecord | null> {
  try {
    return readJson(recordSchema, (await disk.read(file)).toString("utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** @throws the system's error */
export async function writeRecord(record: InstallRecord, ports: RecordPorts): Promise<void> {
  const { disk, records, unique } = ports;
  await disk.makeFolder(records);
  const bytes = Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
  await writeAtomically(recordFile(record.target, records), bytes, { files: disk, unique });
}

/** @throws the system's error */
export async function removeRecord(target: string, { disk, records }: RecordPorts): Promise<void> {
  await disk.remove(recordFile(target, records));
}

export function bytesBefore({ before }: InstallRecord): Buffer | null {
  return before === null ? null : Buffer.from(before, "base64");
}

/** Named by a hash of the path, since settings files share a few names. */
function recordFile(target: string, records: string): string {
  return path.join(records, `${sha256Hex(target, 32)}.json`);
}

/** Returns the agent settings of a record, in older ones judged by path; null for a file wholly purser's. */
export function settingsOf({ settings, target }: InstallRecord, context: HookFileInput): HookFile | null {
  if (settings !== undefined) return { ...settings, choice: null };
  for (const program of hookPrograms) {
    const user = hookFile(program, "user", context);
    if (user.ok && context.isSame(user.value.file, target)) return user.value;
  }
  const folderName = path.basename(path.dirname(target));
  const name = `${folderName}/${path.basename(target)}`;
  const known = projectFolders[name];
  return known === undefined ? null : { ...known, file: target, choice: null };
}

const projectFolders: Readonly<Record<string, Pick<HookFile, "program" | "scope">>> = {
  ".claude/settings.json": { program: "claude-code", scope: "project" },
  ".claude/settings.local.json": { program: "claude-code", scope: "local" },
  ".codex/hooks.json": { program: "codex", scope: "project" },
  ".gemini/settings.json": { program: "gemini", scope: "project" },
  "hooks/purser.json": { program: "copilot", scope: "project" },
};
