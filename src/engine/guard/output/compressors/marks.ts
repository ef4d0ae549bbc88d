import { wholeNumber } from "../../../base/format.ts";
import { isImportant } from "./important.ts";
import { outliersOf } from "./outliers.ts";

/** A kind of thing that is left out. Its words follow a number. */
export interface Kind {
  /** The compressor that recognizes it. */
  readonly compressor: string;
  readonly one: string;
  readonly many: string;
  /** Whether each such line equals another one that is kept, so that none can stand out. */
  readonly isRepeat: boolean;
}

/** @param one the singular @param many the plural, by default the singular with an s */
export function kindOf(compressor: string, one: string, many = `${one}s`): Kind {
  return { compressor, one, many, isRepeat: false };
}

/** Lines that equal a kept one. */
export function repeatOf(compressor: string, one: string, many: string): Kind {
  return { compressor, one, many, isRepeat: true };
}

/** The only wording for what is left out: `[… 312 passing tests left out …]`. */
export function leftOutNotice(counts: ReadonlyMap<Kind, number>): string {
  const parts = [...counts]
    .filter(([, count]) => count > 0)
    .map(([{ one, many }, count]) => `${wholeNumber(count)} ${count === 1 ? one : many}`);
  return `[… ${parts.join(", ")} left out …]`;
}

const notice = /\[… \d[\d,]* [^\n\]]{1,400} left out …\]/u;

/** Whether any compressor has left out something of a text. */
export function hasNotice(text: string): boolean {
  return text.includes(" left out …]") && notice.test(text);
}

/** The kept lines, with notices in place of the others. */
interface Folded {
  readonly lines: readonly string[];
  /** The compressor that left out most; null if nothing is left out. */
  readonly compressor: string | null;
}

/** Maximum kinds named in a notice. */
const maxKinds = 3;
const others = kindOf("general", "other line");

/** The lines of one output that are left out, each with its kind. */
export class Marks {
  readonly #lines: readonly string[];
  readonly #kinds: (Kind | undefined)[];
  /** Lines that were found not to be important: the search for words in them takes long. */
  readonly #isQuiet: boolean[] = [];
  #isRecognized = false;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#kinds = new Array<Kind | undefined>(lines.length);
  }

  /** Whether a compressor has recognized its format, even if all lines are kept. */
  get isRecognized(): boolean {
    return this.#isRecognized;
  }

  recognize(): void {
    this.#isRecognized = true;
  }

  /** Leaves out a line that was recognized by its text. */
  drop(index: number, kind: Kind): void {
    this.#isRecognized = true;
    this.#kinds[index] ??= kind;
  }

  /** Leaves out a line that was recognized by its place, unless it reports an error. */
  dropQuiet(index: number, kind: Kind): void {
    if (isImportant(this.#lines[index] ?? "")) return;
    this.#isQuiet[index] = true;
    this.drop(index, kind);
  }

  /** Keeps a line that was left out. */
  keep(index: number): void {
    this.#kinds[index] = undefined;
  }

  isDropped(index: number): boolean {
    return this.#kinds[index] !== undefined;
  }

  /** Replaces each run of lines that are left out by a notice, if that is shorter. */
  fold(): Folded {
    this.#keepOutliers();
    const shown: string[] = [];
    const saved = new Map<string, number>();
    for (let index = 0; index < this.#lines.length;) {
      const end = this.#runEnd(index);
      const run = end > index ? this.#notice(index, end) : null;
      if (run === null) {
        const last = Math.max(end, index + 1);
        for (; index < last; index += 1) shown.push(this.#lines[index] ?? "");
        continue;
      }
      shown.push(run.notice);
      for (const [name, size] of run.sizes) saved.set(name, (saved.get(name) ?? 0) + size);
      index = end;
    }
    const [first] = [...saved].sort(([, a], [, b]) => b - a);
    return { lines: shown, compressor: first?.[0] ?? null };
  }

  /** Keeps the lines of each kind that are unlike the others of their kind. */
  #keepOutliers(): void {
    const byKind = new Map<Kind, number[]>();
    this.#kinds.forEach((kind, index) => {
      if (kind === undefined || kind.isRepeat) return;
      const known = byKind.get(kind);
      if (known === undefined) byKind.set(kind, [index]);
      else known.push(index);
    });
    for (const indices of byKind.values()) {
      const lines = indices.map((index) => ({
        text: this.#lines[index] ?? "",
        isImportant: this.#isQuiet[index] !== true && isImportant(this.#lines[index] ?? ""),
      }));
      for (const outlier of outliersOf(lines)) {
        const index = indices[outlier];
        if (index !== undefined) this.keep(index);
      }
    }
  }

  /** Returns the end of a run of lines that are left out, including blank lines between them; the index itself for no run. */
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
  if (counts.size <= maxKinds) return counts;
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(maxKinds - 1).reduce((sum, [, count]) => sum + count, 0);
  return new Map([...sorted.slice(0, maxKinds - 1), [others, rest]]);
}
