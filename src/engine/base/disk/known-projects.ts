import path from "node:path";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rethrowUnlessSystemError } from "../result.ts";
import { makeFolder } from "./make-folder.ts";
import { isObject, parseJson } from "../parse.ts";
import { isThere, readSmallText } from "../files.ts";
import { ifPossible } from "./home.ts";
import { firstCommit, keyOf, nameOf, repositoryOf, type Repository } from "./repository.ts";
import { projectFolder } from "./project-folder.ts";

/** Bytes. */
const maxFileSize = 8 * 1024 * 1024;

const maxFolders = 5000;
/** Working copies of one repository. */
const maxClones = 50;

/** Milliseconds. */
const trust = 10_000;

/** Contents of the file: projects by folder, by working tree and by repository. */
interface Remembered {
  readonly folders: Map<string, string>;
  readonly roots: Map<string, string>;
  readonly clones: Map<string, readonly string[]>;
}

/**
 * The projects of folders: a folder's working tree by `projectFolder`, and one project for all working copies of a
 * repository. A folder's project is remembered in a file, because a folder that is gone, such as a removed worktree, no
 * longer shows what it belonged to.
 */
export class KnownProjects {
  readonly #file: string;
  readonly #now: () => number;
  readonly #answers = new Map<string, { readonly project: string; readonly at: number }>();
  readonly #repositories = new Map<string, { readonly found: Repository | null; readonly at: number }>();
  /** Projects that are only on other machines, by repository: the first name that was seen. */
  readonly #foreign = new Map<string, string>();
  #remembered: Remembered | null = null;
  /** When the file was looked at, and its time then. */
  #readAt = -Infinity;
  #stamp = 0;
  #isChanged = false;

  /** @param now a clock that is never set back. Milliseconds */
  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** The working copy that stands for all of a repository's: the first that purser saw and that is still there. */
  of(folder: string): string {
    const now = this.#now();
    const known = this.#answers.get(folder);
    if (known !== undefined && now - known.at < trust) return known.project;
    const project = this.all(folder)[0] ?? this.#foreignName(folder);
    this.#answers.set(folder, { project, at: now });
    return project;
  }

  /** All working copies of a folder's repository on this machine, the one that stands for them first. */
  all(folder: string): string[] {
    const shared = sharedProject(folder);
    if (shared !== null) return this.#copiesOf(shared.key, null);
    const project = this.#find(folder);
    const repository = this.#repositoryOf(project);
    return repository === null ? [project] : this.#copiesOf(repository.key, project);
  }

  /** How another machine names a folder's project, which tells it no path. */
  sharedNameOf(folder: string, machine: string): string {
    const project = this.of(folder);
    if (sharedProject(project) !== null) return project;
    const { key, name } = this.#repositoryOf(project) ?? {
      key: keyOf(`folder ${machine} ${project}`),
      name: nameOf(project),
    };
    return sharedNameOf({ key, name });
  }

  remember(folders: Iterable<string>): void {
    for (const folder of folders) this.of(folder);
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const { folders: known, roots, clones } = this.#read();
    // The newest answers are the last.
    const newest = <Value>(map: Map<string, Value>) => Object.fromEntries([...map].slice(-maxFolders));
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      makeFolder(path.dirname(this.#file), 0o777);
      const text = JSON.stringify({
        version: 1,
        folders: newest(known),
        roots: newest(roots),
        clones: newest(clones),
      });
      writeFileSync(temporary, text, { mode: 0o600 });
      renameSync(temporary, this.#file);
      this.#stamp = stampOf(this.#file);
    } catch (error) {
      // Without the file, only folders that are gone lose their project.
      rethrowUnlessSystemError(error);
      discard(temporary);
    }
  }

  #foreignName(folder: string): string {
    const key = sharedProject(folder)?.key ?? folder;
    const name = this.#foreign.get(key) ?? folder;
    this.#foreign.set(key, name);
    return name;
  }

  #find(folder: string): string {
    const { folders } = this.#read();
    const before = folders.get(folder);
    if (before !== undefined && !isThere(folder)) return before;
    const project = projectFolder(folder);
    if (project !== folder && project !== before && isThere(folder)) {
      folders.delete(folder);
      folders.set(folder, project);
      this.#isChanged = true;
    }
    return project;
  }

  #repositoryOf(project: string): Repository | null {
    const now = this.#now();
    const known = this.#repositories.get(project);
    if (known !== undefined && now - known.at < trust) return known.found;
    const found = repositoryOf(project, (each) => this.#rootOf(each));
    this.#repositories.set(project, { found, at: now });
    return found;
  }

  /** A first commit never changes, and git takes a while to find it. */
  #rootOf(project: string): string | null {
    const { roots } = this.#read();
    const known = roots.get(project);
    if (known !== undefined) return known;
    const root = firstCommit(project);
    if (root === null) return null;
    roots.set(project, root);
    this.#isChanged = true;
    return root;
  }

  /** @param project one of them, or null */
  #copiesOf(key: string, project: string | null): string[] {
    const { clones } = this.#read();
    const known = clones.get(key) ?? [];
    const kept = known.filter((each) => each === project || isThere(each));
    if (project !== null && !kept.includes(project)) kept.push(project);
    if (project !== null && (kept.length !== known.length || kept.some((each, at) => each !== known[at]))) {
      clones.set(key, kept.slice(0, maxClones));
      this.#isChanged = true;
    }
    return kept;
  }

  /** Another process may have added to the file. */
  #read(): Remembered {
    const now = this.#now();
    if (this.#remembered !== null && (this.#isChanged || now - this.#readAt < trust)) return this.#remembered;
    const stamp = stampOf(this.#file);
    this.#readAt = now;
    if (this.#remembered === null || stamp !== this.#stamp)
      this.#remembered = rememberedIn(parseJson(readSmallText(this.#file, maxFileSize) ?? ""));
    this.#stamp = stamp;
    return this.#remembered;
  }
}

/** The project of another machine's session, in place of its folder: `name#key`, which no absolute path is. */
function sharedNameOf({ key, name }: Repository): string {
  return `${name}#${key}`;
}

export function sharedProject(folder: string): Repository | null {
  const [, name, key] = /^(.+)#([0-9a-f]{16})$/u.exec(folder) ?? [];
  return name === undefined || key === undefined || path.isAbsolute(folder) ? null : { key, name };
}

function stampOf(file: string): number {
  return ifPossible(() => statSync(file).mtimeMs) ?? 0;
}

/** Nothing for any other value. Uses no schema: `purser usage` would have to load zod. */
function rememberedIn(value: unknown): Remembered {
  const isKnown = isObject(value) && value["version"] === 1;
  const isText = (each: unknown): each is string => typeof each === "string";
  const isTexts = (each: unknown): each is string[] => Array.isArray(each) && each.every(isText);
  return {
    folders: mapIn(isKnown ? value["folders"] : null, isText),
    roots: mapIn(isKnown ? value["roots"] : null, isText),
    clones: mapIn<readonly string[]>(isKnown ? value["clones"] : null, isTexts),
  };
}

function mapIn<Value>(value: unknown, isOne: (each: unknown) => each is Value): Map<string, Value> {
  if (!isObject(value)) return new Map();
  const map = new Map<string, Value>();
  for (const [key, each] of Object.entries(value)) {
    if (!isOne(each)) return new Map();
    map.set(key, each);
  }
  return map;
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    rethrowUnlessSystemError(error);
  }
}
