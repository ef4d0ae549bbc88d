import path from "node:path";
import { DisposableList, type Disposable } from "../../base/disposable.ts";
import { FolderWatch } from "../../transcripts/folder-watch.ts";
import type { Collector } from "./collector.ts";
import type { FoundSources } from "./found-sources.ts";

export interface KeepUpPorts {
  readonly find: () => FoundSources;
  /** A folder cannot be watched; looking over all files finds what happens in it. */
  readonly onProblem: (message: string) => void;
}

/** All files are looked over so often, whatever watching tells. Milliseconds. */
const lookInterval = 30_000;
/** What changes together is collected together. Milliseconds. */
const shortestDelay = 300;
const longestDelay = 900;
/** Files whose folders are watched: those that changed last. */
const watchedFiles = 100;

/** Has files collected soon after they change: watches the folders of those that changed last, and looks at all now and then. */
export class KeepUp implements Disposable {
  readonly #ports: KeepUpPorts;
  readonly #owned = new DisposableList();
  readonly #watch: FolderWatch;
  readonly #touched = new Set<string>();
  /** Folders of which it was told that they cannot be watched. */
  readonly #unwatched = new Set<string>();
  #collector: Collector | undefined;
  #areas: readonly string[] = [];
  #isLookWanted = false;
  #timer: NodeJS.Timeout | undefined;
  #delay = shortestDelay;

  constructor(ports: KeepUpPorts) {
    this.#ports = ports;
    this.#watch = this.#owned.add(
      new FolderWatch({
        onChange: (place) => this.#changed(place),
        onProblem: (folder, reason) => this.#noteUnwatched(folder, reason),
      }),
    );
  }

  /** Begins with all there is. */
  start(collector: Collector): void {
    this.#collector = collector;
    const look = () => void collector.catchUp();
    const timer = setInterval(look, lookInterval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
    look();
  }

  /** What there is, watched from now on: what came into a folder before its watch began was not seen, so it is found again. */
  find(): FoundSources {
    const began = performance.now();
    let found = this.#ports.find();
    while (this.#watch.set(foldersToWatch(found))) found = this.#ports.find();
    this.#areas = found.areas;
    // Finding among thousands of files takes its time; it is not to take all of it.
    const due = Math.round(10 * (performance.now() - began));
    this.#delay = Math.min(longestDelay, Math.max(shortestDelay, due));
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

  #changed(place: string): void {
    // SQLite writes to a log beside the store.
    const file = place.replace(/-wal$/u, "");
    if (this.#collector?.knows(file) === true) this.#touched.add(file);
    else if (this.#areas.some((area) => isWithin(file, area) || isWithin(area, file)))
      this.#isLookWanted = true;
    else return;
    this.#timer ??= setTimeout(() => this.#collect(), this.#touched.size > 0 ? shortestDelay : this.#delay);
  }

  #collect(): void {
    this.#timer = undefined;
    if (this.#touched.size > 0) void this.#collector?.touch(this.#touched);
    this.#touched.clear();
    if (this.#isLookWanted) void this.#collector?.catchUp();
    this.#isLookWanted = false;
  }
}

/** Where new areas appear, and the folders of the newest files up to their area, a session's own among them. */
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
  // A store is an area of its own, and a file.
  for (const { path: file } of sources) watched.delete(file);
  return watched;
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder + path.sep);
}
