import path from "node:path";
import * as z from "zod/mini";
import { sentence, type Sentence, compose, plainSentence } from "../base/language.ts";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { ensurePrivateFolder, writePrivateFile } from "../base/private-files.ts";
import { type Result, succeed, fail, errorCode } from "../base/result.ts";
import { mainWorktree, isAmong, namesOf } from "../base/paths.ts";
import { type WindowSettings, pathText } from "./editor-window.ts";
import { parseJson } from "../base/parse.ts";

/** `editor` is the one that trusts it, or null for a terminal. */
const trusted = z.object({ path: pathText, editor: z.nullable(pathText) });
type TrustedFolder = Readonly<z.infer<typeof trusted>>;

/** More than anybody works in. The oldest are forgotten first. */
const maxFolders = 1000;

const file = z.object({ schema: z.literal(1), folders: z.array(trusted) });

function readTrustedFolders(value: unknown): readonly TrustedFolder[] | null {
  const read = file.safeParse(value);
  return read.success ? read.data.folders : null;
}

function trustedFoldersText(folders: readonly TrustedFolder[]): string {
  return `${JSON.stringify({ schema: 1, folders }, null, 2)}\n`;
}

/** The same array if nothing changes. */
function withWindowTrust(
  known: readonly TrustedFolder[],
  { editor, isTrusted, folders }: Pick<WindowSettings, "editor" | "isTrusted" | "folders">,
): readonly TrustedFolder[] {
  if (isTrusted === undefined) return known;
  return folders.reduce(
    (all, { path }) => (isTrusted ? withTrusted(all, path, editor) : withoutTrusted(all, path, editor)),
    known,
  );
}

function withTrusted(
  known: readonly TrustedFolder[],
  path: string,
  editor: string | null,
): readonly TrustedFolder[] {
  const isThere = known.some((each) => each.path === path && each.editor === editor);
  return isThere ? known : [...known, { path, editor }].slice(-maxFolders);
}

/** `editor` no longer trusts it; undefined for all of them. */
function withoutTrusted(
  known: readonly TrustedFolder[],
  path: string,
  editor?: string | null,
): readonly TrustedFolder[] {
  const left = known.filter((each) => each.path !== path || (editor !== undefined && each.editor !== editor));
  return left.length === known.length ? known : left;
}

export interface TrustPorts {
  readonly file: string;
  readonly platform: NodeJS.Platform;
  readonly onProblem: (message: Sentence) => void;
}

/** A file that is larger was not written by purser. Bytes. */
const maxFileSize = 8 * 1024 * 1024;

/** Folders of trusted windows, and those added by `purser guard trust`. Stored in a file, as agents continue after windows are closed. */
export class FolderTrust {
  readonly #ports: TrustPorts;
  #stamp = "";
  #folders: readonly TrustedFolder[] = [];
  /** Finding names touches the disk. */
  readonly #names = new Map<string, readonly string[]>();

  constructor(ports: TrustPorts) {
    this.#ports = ports;
  }

  /** Also below a trusted folder, or a linked worktree of a trusted repository. */
  readonly isTrusted = (folder: string): boolean => {
    this.#refresh();
    if (this.#folders.length === 0) return false;
    const main = mainOf(folder);
    const { platform } = this.#ports;
    const paths = [folder, ...(main === null ? [] : [main])].map((each) => namesOf(each, { platform }));
    // A link below a trusted folder leads elsewhere: what counts is where the folder really is.
    const real = paths.flatMap((names) => names.slice(-1));
    return this.#folders.some((each) => isAmong(real, this.#namesOf(each.path), { platform }));
  };

  readonly folders = (): readonly string[] => {
    this.#refresh();
    return [...new Set(this.#folders.map((each) => each.path))];
  };

  report(window: WindowSettings): void {
    this.#refresh();
    const stored = this.#store(withWindowTrust(this.#folders, window));
    if (!stored.ok) this.#ports.onProblem(stored.detail);
  }

  set(folder: string, isTrusted: boolean): Result<void> {
    this.#refresh();
    return this.#store(
      isTrusted ? withTrusted(this.#folders, folder, null) : withoutTrusted(this.#folders, folder),
    );
  }

  #namesOf(folder: string): readonly string[] {
    const known = this.#names.get(folder) ?? namesOf(folder, this.#ports);
    this.#names.set(folder, known);
    return known;
  }

  #store(folders: readonly TrustedFolder[]): Result<void> {
    if (folders === this.#folders) return succeed(undefined);
    const { file } = this.#ports;
    const place = ensurePrivateFolder(path.dirname(file));
    if (!place.ok) return place;
    try {
      writePrivateFile(file, trustedFoldersText(folders));
    } catch (error) {
      return fail("unwritable", compose`${file}: ${errorCode(error)}`);
    }
    this.#folders = folders;
    this.#stamp = stampOf(file);
    return succeed(undefined);
  }

  #refresh(): void {
    const { file, onProblem } = this.#ports;
    const stamp = stampOf(file);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#names.clear();
    const read = stamp === "" ? succeed([]) : readFolders(file);
    if (!read.ok) onProblem(sentence("{file}: {why}; no folder is trusted", { file, why: read.detail }));
    this.#folders = read.ok ? read.value : [];
  }
}

function readFolders(file: string): Result<readonly TrustedFolder[]> {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > maxFileSize)
      return fail("unreadable", sentence("it is no list of folders"));
    const value = parseJson(readFileSync(file, "utf8"));
    if (value === undefined) return fail("unreadable", sentence("it is no JSON"));
    const folders = readTrustedFolders(value);
    return folders === null ? fail("unreadable", sentence("it is no list of folders")) : succeed(folders);
  } catch (error) {
    return fail("unreadable", plainSentence(errorCode(error)));
  }
}

function stampOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`;
  } catch (error) {
    return errorCode(error);
  }
}

/** Null for any other folder. A worktree and its repository must name each other: a folder's own claim does not count. */
function mainOf(folder: string): string | null {
  const main = mainWorktree(folder, path);
  if (main === undefined) return null;
  try {
    const pointer = /^gitdir: (.+)$/mu.exec(readFileSync(path.join(folder, ".git"), "utf8"))?.[1]?.trim();
    if (pointer === undefined) return null;
    const named = readFileSync(path.join(path.resolve(folder, pointer), "gitdir"), "utf8").trim();
    return realpathSync(path.dirname(named)) === realpathSync(folder) ? main : null;
  } catch {
    // A repository that has moved, or was removed, names no worktree.
    return null;
  }
}
