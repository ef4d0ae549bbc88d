import path from "node:path";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { rethrowUnlessSystemError } from "../result.ts";
import { makeFolder } from "./make-folder.ts";
import { isObject, parseJson } from "../parse.ts";
import { isThere, readSmallText } from "../files.ts";
import { projectFolder } from "./project-folder.ts";

/** Bytes. */
const maxFileSize = 8 * 1024 * 1024;

const maxFolders = 5000;

/** Milliseconds. */
const trust = 10_000;

/**
 * The projects of folders, by `projectFolder`. A folder's project is remembered in a file, because a folder
 * that is gone, such as a removed worktree, no longer shows what it belonged to.
 */
export class KnownProjects {
  readonly #file: string;
  readonly #now: () => number;
  readonly #answers = new Map<string, { readonly project: string; readonly at: number }>();
  #remembered: Map<string, string> | null = null;
  #isChanged = false;

  /** @param now a clock that is never set back. Milliseconds */
  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  of(folder: string): string {
    const now = this.#now();
    const known = this.#answers.get(folder);
    if (known !== undefined && now - known.at < trust) return known.project;
    const project = this.#find(folder);
    this.#answers.set(folder, { project, at: now });
    return project;
  }

  remember(folders: Iterable<string>): void {
    for (const folder of folders) this.of(folder);
    if (!this.#isChanged) return;
    this.#isChanged = false;
    // The newest answers are the last.
    const newest = [...this.#read()].slice(-maxFolders);
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      makeFolder(path.dirname(this.#file), 0o777);
      const text = JSON.stringify({ version: 1, folders: Object.fromEntries(newest) });
      writeFileSync(temporary, text, { mode: 0o600 });
      renameSync(temporary, this.#file);
    } catch (error) {
      // Without the file, only folders that are gone lose their project.
      rethrowUnlessSystemError(error);
      discard(temporary);
    }
  }

  #find(folder: string): string {
    const before = this.#read().get(folder);
    if (before !== undefined && !isThere(folder)) return before;
    const project = projectFolder(folder);
    if (project !== folder && project !== before && isThere(folder)) {
      this.#read().delete(folder);
      this.#read().set(folder, project);
      this.#isChanged = true;
    }
    return project;
  }

  #read(): Map<string, string> {
    this.#remembered ??= foldersIn(parseJson(readSmallText(this.#file, maxFileSize) ?? ""));
    return this.#remembered;
  }
}

/** Returns a folder's project by folder; nothing for any other value. Uses no schema: `purser usage` would have to load zod. */
function foldersIn(value: unknown): Map<string, string> {
  const folders = new Map<string, string>();
  if (!isObject(value) || value["version"] !== 1 || !isObject(value["folders"])) return folders;
  for (const [folder, project] of Object.entries(value["folders"])) {
    if (typeof project !== "string") return new Map();
    folders.set(folder, project);
  }
  return folders;
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    rethrowUnlessSystemError(error);
  }
}
