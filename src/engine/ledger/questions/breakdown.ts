import { Sum } from "../../usage/sum.ts";
import type { BreakdownPart, CalledPart } from "../answers.ts";
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
