import { readFileSync, statSync } from "node:fs";
import { ensurePrivateFolder, writePrivateFile } from "../../../base/private-files.ts";
import { type Result, succeed, errorCode } from "../../../base/result.ts";
import { parseJson } from "../../../base/parse.ts";
import path from "node:path";
import {
  isOff,
  noUses,
  outputUses,
  withAsked,
  withMade,
  type OutputUses,
  type ShortenedKind,
} from "../../output/back-off.ts";

/** Time in which changes are gathered before they are written. Milliseconds. */
const gatherFor = 1000;
/** Larger files are not purser's. Bytes. */
const largest = 2_000_000;

/** Returns what is remembered; nothing where the file is missing or damaged, which costs only what was learned. */
export function readUses(file: string): OutputUses {
  try {
    if (statSync(file).size > largest) return noUses;
    return outputUses.safeParse(parseJson(readFileSync(file, "utf8"))).data ?? noUses;
  } catch (error) {
    errorCode(error);
    return noUses;
  }
}

/** Replaces what is remembered by what a function makes of it. */
export function changeUses(file: string, change: (uses: OutputUses) => OutputUses): Result<OutputUses> {
  const place = ensurePrivateFolder(path.dirname(file));
  if (!place.ok) return place;
  const changed = change(readUses(file));
  writePrivateFile(file, JSON.stringify(changed));
  return succeed(changed);
}

export interface UseFilePorts {
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string) => void;
}

/** Figures about originals that agents requested, in a file that another program may change at any time. */
export class UseFile {
  readonly #ports: UseFilePorts;
  readonly #changes: ((uses: OutputUses) => OutputUses)[] = [];
  #known: OutputUses = noUses;
  #stamp = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: UseFilePorts) {
    this.#ports = ports;
  }

  isOff(kind: ShortenedKind): boolean {
    return isOff(this.#now(), kind);
  }

  made(kind: ShortenedKind, id: string): void {
    this.#add((uses) => withMade(uses, kind, id));
  }

  asked(id: string): void {
    const at = this.#ports.now();
    this.#add((uses) => withAsked(uses, id, at));
  }

  /** Writes what is not written yet. */
  dispose(): void {
    this.#write();
  }

  /** The file's content, with what is not written yet. */
  #now(): OutputUses {
    const stamp = stampOf(this.#ports.file);
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#known = readUses(this.#ports.file);
    }
    return this.#changes.reduce((uses, change) => change(uses), this.#known);
  }

  #add(change: (uses: OutputUses) => OutputUses): void {
    this.#changes.push(change);
    this.#timer ??= setTimeout(() => this.#write(), gatherFor).unref();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = this.#changes.splice(0);
    if (changes.length === 0) return;
    try {
      const done = changeUses(this.#ports.file, (uses) => changes.reduce((all, change) => change(all), uses));
      if (!done.ok) this.#ports.onProblem(`Uses of outputs are not remembered: ${done.detail.text}`);
    } catch (error) {
      this.#ports.onProblem(`Uses of outputs are not remembered: ${errorCode(error)}`);
    }
  }
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
