import path from "node:path";
import { DisposableList, type Disposable } from "../../base/events.ts";
import { FolderWatch } from "../../transcripts/file-tail.ts";
import type { Collector } from "./collector.ts";
import type { FoundSources } from "./collect-source.ts";

export interface SourceWatcherPorts {
  readonly find: () => FoundSources;
  /** Called when a folder cannot be watched; changes in it are then found by the regular passes over all files. */
  readonly onProblem: (message: string) => void;
}

/** Interval of the passes over all files, whatever the watchers report. Milliseconds. */
const passInterval = 30_000;
/** Minimum and maximum time in which changes are collected together. Milliseconds. */
const minDelay = 300;
const maxDelay = 900;
/** A file that was not collected for this long needs no pause. Milliseconds. */
const maxRest = 10_000;
/** Number of files with watched folders: the most recently changed ones. */
const watchedFiles = 100;

/**
 * Collects files soon after they change. It watches the folders of the most recently changed ones, and goes over all
 * files regularly.
 */
export class SourceWatcher implements Disposable {
  readonly #ports: SourceWatcherPorts;
  readonly #owned = new DisposableList();
  readonly #watch: FolderWatch;
  /** Changed files that are not collected yet, and when each may be collected, by `performance.now()`. */
  readonly #touched = new Map<string, number>();
  /** When files that need a pause were last collected. */
  readonly #collectedAt = new Map<string, number>();
  /** Folders already reported as unwatchable. */
  readonly #unwatched = new Set<string>();
  #collector: Collector | undefined;
  #areas: readonly string[] = [];
  #isPassDue = false;
  #timer: NodeJS.Timeout | undefined;
  #delay = minDelay;

  constructor(ports: SourceWatcherPorts) {
    this.#ports = ports;
    this.#watch = this.#owned.add(
      new FolderWatch({
        onChange: (changedPath) => this.#changed(changedPath),
        onProblem: (folder, reason) => this.#noteUnwatched(folder, reason),
      }),
    );
  }

  /** Starts with a pass over all files. */
  start(collector: Collector): void {
    this.#collector = collector;
    const catchUp = () => void collector.catchUp();
    const timer = setInterval(catchUp, passInterval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
    catchUp();
  }

  /**
   * Finds the sources, and watches their folders from now on. Finds again after a watch was added: files that arrived
   * just before it were missed.
   */
  find(): FoundSources {
    const began = performance.now();
    let found = this.#ports.find();
    while (this.#watch.set(foldersToWatch(found))) found = this.#ports.find();
    this.#areas = found.areas;
    // Finding among thousands of files is slow: the delay limits it to a small share of the time.
    const due = Math.round(10 * (performance.now() - began));
    this.#delay = Math.min(maxDelay, Math.max(minDelay, due));
    return found;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  #noteUnwatched(folder: string, reason: string): void {
    if (this.#unwatched.has(folder)) return;
    this.#unwatched.add(folder);
    this.#ports.onProblem(`${folder} cannot be watched: ${reason}`);
  }

  #changed(changedPath: string): void {
    // SQLite writes to a log beside the store.
    const file = changedPath.replace(/-wal$/u, "");
    const rest = this.#collector?.restOf(file);
    if (rest !== undefined) this.#touched.set(file, (this.#collectedAt.get(file) ?? -Infinity) + rest);
    else if (this.#areas.some((area) => isWithin(file, area) || isWithin(area, file))) this.#isPassDue = true;
    else return;
    this.#timer ??= setTimeout(() => this.#collect(), this.#touched.size > 0 ? minDelay : this.#delay);
  }

  #collect(): void {
    this.#timer = undefined;
    const due = this.#takeDue();
    if (due.length > 0) void this.#collector?.touch(due);
    if (this.#isPassDue) void this.#collector?.catchUp();
    this.#isPassDue = false;
    if (this.#touched.size > 0) this.#timer = setTimeout(() => this.#collect(), minDelay);
  }

  #takeDue(): string[] {
    const now = performance.now();
    const due = Array.from(this.#touched).flatMap(([file, from]) => (from <= now ? [file] : []));
    for (const [file, at] of this.#collectedAt) if (now - at > maxRest) this.#collectedAt.delete(file);
    for (const file of due) {
      this.#touched.delete(file);
      this.#collectedAt.set(file, now);
    }
    return due;
  }
}

/**
 * The folders where new areas appear, and the folders of the newest files up to their area, including a session's own
 * folder.
 */
function foldersToWatch({ sources, areas, folders }: FoundSources): ReadonlySet<string> {
  const watched = new Set(folders);
  for (const area of areas) {
    const above = path.dirname(area);
    watched.add(area).add(above).add(path.dirname(above));
  }
  const newest = sources.toSorted((one, other) => other.mtimeMs - one.mtimeMs).slice(0, watchedFiles);
  for (const { path: file } of newest) {
    const area = areas.find((each) => isWithin(file, each));
    for (let folder = path.dirname(file); area !== undefined && isWithin(folder, area);) {
      watched.add(folder);
      folder = path.dirname(folder);
    }
    const session = file.replace(/\.jsonl$/u, "");
    if (session !== file) watched.add(session).add(path.join(session, "subagents"));
  }
  // A store is listed as an area too, but is a file.
  for (const { path: file } of sources) watched.delete(file);
  return watched;
}

function isWithin(fullPath: string, folder: string): boolean {
  return fullPath === folder || fullPath.startsWith(folder + path.sep);
}
