import { kindOf, leftOutNotice, type Kind } from "./left-out.ts";
import { isImportant } from "./important-line.ts";

/** Lines that are kept, with notices in place of the others. */
export interface Folded {
  readonly lines: readonly string[];
  readonly removedLines: number;
  /** The compressor that left out most; null where nothing is left out. */
  readonly compressor: string | null;
}

/** A notice names no more kinds. */
const mostKinds = 3;
const others = kindOf("general", "other line");

/** Marks the lines of one output that are left out, each with its kind. */
export class Marks {
  readonly #lines: readonly string[];
  readonly #kinds: (Kind | undefined)[];
  #isRecognized = false;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#kinds = new Array<Kind | undefined>(lines.length);
  }

  /** Whether a compressor has found its format, be it that all of it is kept. */
  get isRecognized(): boolean {
    return this.#isRecognized;
  }

  recognize(): void {
    this.#isRecognized = true;
  }

  /** Leaves out a line that is known by its own form. */
  drop(index: number, kind: Kind): void {
    this.#isRecognized = true;
    this.#kinds[index] ??= kind;
  }

  /** Leaves out a line that is known by its place, unless it tells of an error. */
  dropQuiet(index: number, kind: Kind): void {
    if (!isImportant(this.#lines[index] ?? "")) this.drop(index, kind);
  }

  /** Keeps a line that was left out so far. */
  keep(index: number): void {
    this.#kinds[index] = undefined;
  }

  isDropped(index: number): boolean {
    return this.#kinds[index] !== undefined;
  }

  /** Puts a notice in place of each run of lines that are left out, where it is shorter than they are. */
  fold(): Folded {
    const kept: string[] = [];
    const saved = new Map<string, number>();
    let removedLines = 0;
    for (let index = 0; index < this.#lines.length;) {
      const end = this.#runEnd(index);
      const run = end > index ? this.#notice(index, end) : null;
      if (run === null) {
        const last = Math.max(end, index + 1);
        for (; index < last; index += 1) kept.push(this.#lines[index] ?? "");
        continue;
      }
      kept.push(run.notice);
      removedLines += end - index;
      for (const [name, size] of run.sizes) saved.set(name, (saved.get(name) ?? 0) + size);
      index = end;
    }
    const [first] = [...saved].sort(([, a], [, b]) => b - a);
    return { lines: kept, removedLines, compressor: first?.[0] ?? null };
  }

  /** The end of a run of lines that are left out, and of blank lines between them; the index itself where there is none. */
  #runEnd(from: number): number {
    let end = from;
    for (let index = from; index < this.#lines.length; index += 1) {
      if (this.isDropped(index)) end = index + 1;
      else if (index === from || this.#lines[index]?.trim() !== "") break;
    }
    return end;
  }

  #notice(from: number, to: number) {
    const counts = new Map<Kind, number>();
    const sizes = new Map<string, number>();
    let size = 0;
    for (let index = from; index < to; index += 1) {
      const length = (this.#lines[index]?.length ?? 0) + 1;
      size += length;
      const kind = this.#kinds[index];
      if (kind === undefined) continue;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      sizes.set(kind.compressor, (sizes.get(kind.compressor) ?? 0) + length);
    }
    const notice = leftOutNotice(fewKinds(counts));
    return notice.length + 2 < size ? { notice, sizes } : null;
  }
}

function fewKinds(counts: ReadonlyMap<Kind, number>): ReadonlyMap<Kind, number> {
  if (counts.size <= mostKinds) return counts;
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(mostKinds - 1).reduce((sum, [, count]) => sum + count, 0);
  return new Map([...sorted.slice(0, mostKinds - 1), [others, rest]]);
}
