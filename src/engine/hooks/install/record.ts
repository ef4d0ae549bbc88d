import { createHash } from "node:crypto";
import path from "node:path";
import * as z from "zod";
import { writeAtomically } from "../../base/disk/atomic-file.ts";
import { errorCode } from "../../base/error-code.ts";
import { hookPrograms } from "../program.ts";
import { hookScopes } from "./settings/agent-file.ts";
import type { SettingsDisk } from "./settings/disk.ts";

/** What is remembered of an installation, so that it can be undone byte for byte. */
const recordSchema = z.object({
  schema: z.literal(1),
  target: z.string(),
  /** The agent's settings that it is; left out of a file that is purser's as a whole, and of records of before. */
  settings: z
    .object({ program: z.enum(hookPrograms), scope: z.enum(hookScopes), file: z.string() })
    .optional(),
  /** The file as it was before the first hook of ours, in base64. Null when there was none. */
  before: z.base64().nullable(),
  modeBefore: z.int(),
  modeAfter: z.int(),
  /** Hashes of what purser made of it. While it has one of these, nobody else has touched it. */
  after: z.array(z.string()),
  /** Folders that were made for it, the outermost first. */
  folders: z.array(z.string()),
  /** Copies that were laid beside it. */
  backups: z.array(z.string()),
});
export type InstallRecord = z.infer<typeof recordSchema>;

export interface RecordPorts {
  readonly disk: SettingsDisk;
  /** Where records are kept: a folder of purser's own. */
  readonly records: string;
  /** A word no other process or call uses. */
  readonly unique: () => string;
}

/** One that is missing or damaged says nothing: then our own hooks are taken out, instead of the old file put back. */
export async function readRecord(
  target: string,
  { disk, records }: RecordPorts,
): Promise<InstallRecord | null> {
  const record = await readAt(recordFile(target, records), disk);
  return record?.target === target ? record : null;
}

/** Everything this user has installed on this machine. @throws the system's error */
export async function listRecords({ disk, records }: RecordPorts): Promise<InstallRecord[]> {
  const found: InstallRecord[] = [];
  for (const name of await namesIn(records, disk)) {
    const file = path.join(records, name);
    const record = name.endsWith(".json") ? await readAt(file, disk) : null;
    // One that stands under another's name is nobody's.
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
    return recordSchema.safeParse(JSON.parse((await disk.read(file)).toString("utf8"))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return null;
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

/** Settings files are all called alike. */
function recordFile(target: string, records: string): string {
  return path.join(records, `${createHash("sha256").update(target).digest("hex").slice(0, 32)}.json`);
}
