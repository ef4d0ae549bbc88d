import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { ensurePrivateFolder, writePrivateFile } from "../../base/private-files.ts";
import { type Result, succeed, errorCode } from "../../base/result.ts";

/** A compressor's work on the outputs of one command. */
export interface ShortenedKind {
  readonly compressor: string;
  /** The program and its subcommand, such as `npm test`. */
  readonly command: string;
}

/** Maximum outputs remembered per command, and maximum commands. */
const [maxRecent, maxUses] = [20, 300];
const maxNameLength = 80;

const use = z.object({
  compressor: z.string().check(z.maxLength(maxNameLength)),
  command: z.string().check(z.maxLength(maxNameLength)),
  /** The latest shortened outputs, the newest last. */
  recent: z
    .array(z.object({ id: z.string().check(z.maxLength(20)), isAsked: z.boolean() }))
    .check(z.maxLength(maxRecent)),
  /** Time since which the compressor is paused. Milliseconds since the epoch; null if it is not. */
  offSince: z.nullable(z.number()),
});

/** How often agents asked for originals, by command, the last used last. */
const outputUses = z.object({ schema: z.literal(1), uses: z.array(use).check(z.maxLength(maxUses)) });
export type OutputUses = Readonly<z.infer<typeof outputUses>>;
type Use = OutputUses["uses"][number];

export const noUses: OutputUses = { schema: 1, uses: [] };

/**
 * A compressor pauses when agents ask for at least this many originals and at least this share of the latest outputs. A
 * requested original costs the smaller text and another call. With half of the output left out, as usual, a third of such
 * requests cancels the savings.
 */
const [minReads, readShare] = [3, 1 / 3];

export function isOff({ uses }: OutputUses, kind: ShortenedKind): boolean {
  return uses.some((each) => isOf(each, kind) && each.offSince !== null);
}

/** Paused compressors, each with its command. */
export function restingIn({ uses }: OutputUses): readonly Use[] {
  return uses.filter(({ offSince }) => offSince !== null);
}

/** Records a shortened output. */
export function withMade(all: OutputUses, kind: ShortenedKind, id: string): OutputUses {
  const known = all.uses.find((each) => isOf(each, kind));
  const recent = [...(known?.recent ?? []), { id, isAsked: false }].slice(-maxRecent);
  const { compressor, command } = named(kind);
  const made = { compressor, command, offSince: known?.offSince ?? null, recent };
  return { schema: 1, uses: [...all.uses.filter((each) => each !== known), made].slice(-maxUses) };
}

/** Records that an agent asked for an original, and pauses the compressor if that is frequent. */
export function withRead(all: OutputUses, id: string, now: number): OutputUses {
  return {
    schema: 1,
    uses: all.uses.map((each) => {
      if (!each.recent.some((one) => one.id === id && !one.isAsked)) return each;
      const recent = each.recent.map((one) => (one.id === id ? { ...one, isAsked: true } : one));
      const reads = recent.filter(({ isAsked }) => isAsked).length;
      const isOften = reads >= minReads && reads >= recent.length * readShare;
      return { ...each, recent, offSince: each.offSince ?? (isOften ? now : null) };
    }),
  };
}

/** Resumes the compressors of a command and forgets earlier requests. */
export function withoutRest(all: OutputUses, command: string): OutputUses {
  return {
    schema: 1,
    uses: all.uses.map((each) =>
      each.command === command && each.offSince !== null ? { ...each, recent: [], offSince: null } : each,
    ),
  };
}

function isOf(each: Use, kind: ShortenedKind): boolean {
  const { compressor, command } = named(kind);
  return each.compressor === compressor && each.command === command;
}

function named({ compressor, command }: ShortenedKind): ShortenedKind {
  return { compressor: compressor.slice(0, maxNameLength), command: command.slice(0, maxNameLength) };
}

/** Delay in which changes are collected before they are written. Milliseconds. */
const gatherFor = 1000;
/** Maximum size of the file. Bytes. */
const maxBytes = 2_000_000;

/** Reads the recorded uses; none if the file is missing or damaged. */
export function readUses(file: string): OutputUses {
  try {
    if (statSync(file).size > maxBytes) return noUses;
    return readJson(outputUses, readFileSync(file, "utf8")) ?? noUses;
  } catch (error) {
    errorCode(error);
    return noUses;
  }
}

/** Replaces the recorded uses by the result of a function. */
export function changeUses(file: string, change: (uses: OutputUses) => OutputUses): Result<OutputUses> {
  const place = ensurePrivateFolder(path.dirname(file));
  if (!place.ok) return place;
  const changed = change(readUses(file));
  writePrivateFile(file, JSON.stringify(changed));
  return succeed(changed);
}

interface UseFilePorts {
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string) => void;
}

/** The recorded uses in a file that another program may change at any time. */
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

  recordRead(id: string): void {
    const at = this.#ports.now();
    this.#add((uses) => withRead(uses, id, at));
  }

  dispose(): void {
    this.#write();
  }

  /** Returns the file's content with the unwritten changes. */
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
