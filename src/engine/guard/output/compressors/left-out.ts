import { wholeNumber } from "../../../base/format.ts";

/** One kind of thing that is left out. Its words follow a number. */
export interface Kind {
  /** The compressor that knows it. */
  readonly compressor: string;
  readonly one: string;
  readonly many: string;
}

/** @param one in the singular @param many in the plural; the singular and an s where not given */
export function kindOf(compressor: string, one: string, many = `${one}s`): Kind {
  return { compressor, one, many };
}

/** The only wording for what is left out: `[… 312 passing tests left out …]`. */
export function leftOutNotice(counts: ReadonlyMap<Kind, number>): string {
  const parts = [...counts]
    .filter(([, count]) => count > 0)
    .map(([{ one, many }, count]) => `${wholeNumber(count)} ${count === 1 ? one : many}`);
  return `[… ${parts.join(", ")} left out …]`;
}

const notice = /\[… \d[\d,]* [^\n\]]{1,400} left out …\]/u;

/** Whether something was left out of the text, by any compressor. */
export function hasNotice(text: string): boolean {
  return text.includes(" left out …]") && notice.test(text);
}
