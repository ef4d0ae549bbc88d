import { compose, type Sentence } from "../../base/language.ts";
import { succeed, type Result, fail } from "../../base/result.ts";
import { hookFormats, type HookEntry, type HookFormat } from "./settings/install-settings-entry.ts";
import type { HookFile } from "./settings/agent-file.ts";
import { bytesBefore, readRecord, type InstallRecord, type RecordPorts } from "./hooks-install-record.ts";
import { comments, decodeJson } from "./settings/json-document.ts";
import { withoutStatusLine, withStatusLine, type LineMaker } from "./settings/set-status-line.ts";
import { containersIn, newDocument, withHooks, withoutHooks, type TextReason } from "./settings/set-hooks.ts";
import { contentHash, readSettings, type Settings, type SettingsReason } from "./settings/disk.ts";

export type PlanReason = TextReason | SettingsReason;

export interface HookChange {
  readonly act: "install" | "uninstall";
  readonly settings: Settings;
  /** The file's new content; null to delete it. */
  readonly after: Buffer | null;
  readonly mode: number;
  /** False when the file is already as it should be. */
  readonly isNeeded: boolean;
  /** Whether the file will be as it was before the first hook, byte for byte. */
  readonly isRestored: boolean;
  /** The record to store; null to remove it. */
  readonly record: InstallRecord | null;
  readonly remembered: InstallRecord | null;
}

const forOthers = 0o077;
/** Permissions of a new file that a project shares. */
const sharedMode = 0o644;

export interface InstallAsked {
  readonly file: HookFile;
  readonly wanted: readonly HookEntry[];
  /** Whether the hooks contain the token. The file is then closed to others. */
  readonly hasSecret: boolean;
  /** Makes the status line that chains the user's. Without it a status line of ours stays as it is. */
  readonly statusLine?: LineMaker;
}

/** Plans installing hooks. Writes nothing. */
export async function planInstall(
  { file, wanted, hasSecret, statusLine }: InstallAsked,
  ports: RecordPorts,
): Promise<Result<HookChange, PlanReason>> {
  const found = await readSettings(file.file, ports.disk, file.scope === "project" ? sharedMode : 0o600);
  if (!found.ok) return found;
  const settings = found.value;
  const format = hookFormats[file.program];
  const text = textOf(settings);
  if (!text.ok) return text;
  const made =
    text.value === null ? succeed(newDocument(wanted, format)) : withHooks(text.value, wanted, format);
  if (!made.ok) return named(made, settings);
  const lined = statusLine === undefined ? made : withStatusLine(made.value, statusLine);
  if (!lined.ok) return named(lined, settings);
  const after = Buffer.from(lined.value);
  const mode = hasSecret && ports.disk.hasModes ? settings.mode & ~forOthers : settings.mode;
  const remembered = await readRecord(settings.target, ports);
  const isNeeded = settings.bytes?.equals(after) !== true || mode !== settings.mode;
  const original = originalOf({ settings, text: text.value, remembered, format });
  if (!original.ok) return named(original, settings);
  const { before, modeBefore, hashes } = original.value;
  const record: InstallRecord = {
    schema: 1,
    target: settings.target,
    settings: { program: file.program, scope: file.scope, file: file.file },
    before: before?.toString("base64") ?? null,
    modeBefore,
    modeAfter: mode,
    after: [...hashes, contentHash(after) ?? ""].slice(-maxHashes),
    folders: remembered?.folders ?? [],
    backups: remembered?.backups ?? [],
  };
  return succeed({ act: "install", settings, after, mode, isNeeded, isRestored: false, record, remembered });
}

/** Maximum stored hashes: an unfinished write leaves the previous version, which must be recognized. */
const maxHashes = 4;

interface Original {
  readonly before: Buffer | null;
  readonly modeBefore: number;
  readonly hashes: readonly string[];
}

/** What uninstalling should restore: the file before our first hook, with others' changes since. */
function originalOf({
  settings: { bytes, mode },
  text,
  remembered,
  format,
}: {
  settings: Settings;
  text: string | null;
  remembered: InstallRecord | null;
  format: HookFormat;
}): Result<Original, TextReason> {
  if (text === null) return succeed({ before: null, modeBefore: mode, hashes: [] });
  const modeBefore = mode === remembered?.modeAfter ? remembered.modeBefore : mode;
  if (remembered !== null && isUntouched(bytes, remembered))
    return succeed({ before: bytesBefore(remembered), modeBefore, hashes: remembered.after });
  const rest = withoutOwn(text, remembered, format);
  return rest.ok ? succeed({ before: rest.value, modeBefore, hashes: [] }) : rest;
}

export async function planUninstall(
  { file, program }: Pick<HookFile, "file" | "program">,
  ports: RecordPorts,
): Promise<Result<HookChange, PlanReason>> {
  const found = await readSettings(file, ports.disk);
  if (!found.ok) return found;
  const settings = found.value;
  const remembered = await readRecord(settings.target, ports);
  const change = { act: "uninstall", settings, record: null, remembered } as const;
  const text = textOf(settings);
  if (!text.ok) return text;
  if (text.value === null)
    return succeed({ ...change, after: null, mode: settings.mode, isNeeded: false, isRestored: false });
  const isTheirs = settings.mode !== remembered?.modeAfter;
  const mode = isTheirs ? settings.mode : remembered.modeBefore;
  if (remembered !== null && isUntouched(settings.bytes, remembered))
    return succeed({ ...change, after: bytesBefore(remembered), mode, isNeeded: true, isRestored: true });
  const rest = withoutOwn(text.value, remembered, hookFormats[program]);
  if (!rest.ok) return named(rest, settings);
  const isNeeded = rest.value === null || settings.bytes?.equals(rest.value) !== true;
  return succeed({
    ...change,
    after: rest.value,
    mode: isNeeded ? mode : settings.mode,
    isNeeded,
    isRestored: false,
  });
}

function isUntouched(bytes: Buffer | null, { after }: InstallRecord): boolean {
  const hash = contentHash(bytes);
  return hash !== null && after.includes(hash);
}

function withoutOwn(
  text: string,
  remembered: InstallRecord | null,
  format: HookFormat,
): Result<Buffer | null, TextReason> {
  const before = remembered === null ? null : bytesBefore(remembered);
  const kept = before === null ? new Set<string>() : containersIn(before.toString("utf8"), format);
  const unhooked = withoutHooks(text, format, kept);
  const rest = unhooked.ok ? withoutStatusLine(unhooked.value) : unhooked;
  if (!rest.ok) return rest;
  const isOurs = remembered !== null && before === null;
  return succeed(isOurs && isShell(rest.value, format) ? null : Buffer.from(rest.value));
}

/** Whether a text contains only what a new file of ours starts with. */
function isShell(text: string, { head }: HookFormat): boolean {
  return comments(text).length === 0 && text.replace(/\s/gu, "") === JSON.stringify(head);
}

function textOf({ bytes, file }: Settings): Result<string | null, TextReason> {
  if (bytes === null) return succeed(null);
  const text = decodeJson(bytes);
  return text.ok ? text : fail(text.reason, compose`${file}: ${text.detail}`);
}

function named(
  { reason, detail }: { readonly reason: TextReason; readonly detail: Sentence },
  { file }: Settings,
): Result<never, TextReason> {
  return fail(reason, compose`${file}: ${detail}`);
}
