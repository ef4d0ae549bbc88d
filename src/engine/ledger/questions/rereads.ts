import type { Reread, BreakdownPart, CalledPart } from "../ledger-answers.ts";
import { maybeNumberIn, maybeTextIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import type { LedgerBasis } from "../basis.ts";
import { SumsReader, SumsWriter } from "../sums/usage-buckets.ts";
import { Sum } from "../../usage/sum.ts";
import type { CalledBucket } from "../sums/called-tally.ts";

/** Sums by one key, and the answer's parts made from them: largest first, by processing tokens. */
export class Breakdown {
  readonly #parts = new Map<string | null, { readonly sum: Sum }>();

  include(key: string | null, sum: Sum): void {
    let part = this.#parts.get(key);
    if (part === undefined) this.#parts.set(key, (part = { sum: new Sum() }));
    part.sum.include(sum);
  }

  parts(): BreakdownPart[] {
    return [...this.#parts].sort(largestFirst).map(([key, { sum }]) => ({ key, ...sum.sum() }));
  }
}

/** The same for tools, skills and servers. */
export class CalledBreakdown {
  readonly #parts = new Map<string | null, CalledSum>();

  include({ key, sum, calls, errors, inputChars, resultChars }: CalledBucket): void {
    let part = this.#parts.get(key);
    if (part === undefined) this.#parts.set(key, (part = new CalledSum()));
    part.sum.include(sum);
    part.calls += calls;
    part.errors += errors;
    part.inputChars += inputChars;
    part.resultChars += resultChars;
  }

  parts(): CalledPart[] {
    return [...this.#parts].sort(largestFirst).map(([key, part]) => {
      const { sum, calls, errors, inputChars, resultChars } = part;
      return { key, ...sum.sum(), calls, errors, inputChars, resultChars };
    });
  }
}

class CalledSum {
  readonly sum = new Sum();
  calls = 0;
  errors = 0;
  inputChars = 0;
  resultChars = 0;
}

type Part = readonly [key: string | null, { readonly sum: Sum }];

function largestFirst([key, { sum }]: Part, [otherKey, other]: Part): number {
  return other.sum.processingTokens() - sum.processingTokens() || compareNames(key ?? "", otherKey ?? "");
}

export function compareNames(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** A file that one session read more than once, by day. */
export interface RereadFile {
  readonly path: string;
  readonly days: readonly {
    readonly day: string | null;
    readonly reads: number;
    /** Of the reads with a known size; null if there are none. */
    readonly chars: number | null;
  }[];
}

/** The rereads of one session. */
export function readRereads(
  db: Database,
  { dayOf }: Pick<LedgerBasis, "dayOf">,
  session: string,
): RereadFile[] {
  const files = new Map<string, Map<string | null, { reads: number; chars: number | null }>>();
  db.each("SELECT path, at, chars FROM file_reads WHERE session_id = ?", [session], (cells) => {
    const path = maybeTextIn(cells[0]);
    if (path === null) return;
    let days = files.get(path);
    if (days === undefined) files.set(path, (days = new Map<string, never>()));
    const [at, chars] = [maybeNumberIn(cells[1]), maybeNumberIn(cells[2])];
    const day = at === null ? null : dayOf(at);
    const known = days.get(day) ?? { reads: 0, chars: null };
    days.set(day, {
      reads: known.reads + 1,
      chars: chars === null ? known.chars : (known.chars ?? 0) + chars,
    });
  });
  return Array.from(files, ([path, days]) => ({
    path,
    days: Array.from(days, ([day, counts]) => ({ day, ...counts })),
  })).filter(({ days }) => days.length > 1 || (days[0]?.reads ?? 0) > 1);
}

/** The file's reads on the chosen days; null if it was read at most once on them. */
export function rereadOf(
  { path, days }: RereadFile,
  { sessionId, isDay }: { sessionId: string; isDay: (day: string | null) => boolean },
): Reread | null {
  const counted = days.filter(({ day }) => isDay(day));
  const reads = counted.reduce((sum, each) => sum + each.reads, 0);
  if (reads < 2) return null;
  const counts = counted.flatMap(({ chars }) => chars ?? []);
  const chars = counts.length === 0 ? null : counts.reduce((sum, each) => sum + each, 0);
  return { path, sessionId, reads, chars };
}

export function writeRereads(files: readonly RereadFile[]): string {
  const writer = new SumsWriter();
  for (const { path, days } of files) {
    writer.name(path);
    writer.numbers(days.length);
    for (const { day, reads, chars } of days) {
      writer.name(day);
      writer.numbers(reads, chars ?? -1);
    }
  }
  return writer.text();
}

export function parseRereads(text: string): RereadFile[] {
  const reader = new SumsReader(text);
  const files: RereadFile[] = [];
  while (!reader.isOver) {
    const path = reader.name();
    const days = Array.from({ length: reader.number() }, () => {
      const [day, reads, chars] = [reader.maybeName(), reader.number(), reader.number()];
      return { day, reads, chars: chars === -1 ? null : chars };
    });
    files.push({ path, days });
  }
  return files;
}

/** Most often read first. */
export function byReads(one: Reread, other: Reread): number {
  return (
    other.reads - one.reads ||
    (other.chars ?? 0) - (one.chars ?? 0) ||
    compareNames(one.path, other.path) ||
    compareNames(one.sessionId, other.sessionId)
  );
}
