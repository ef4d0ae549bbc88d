import type { OrdinarySessions } from "../../ledger/questions/continuity/ordinary-work.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import type { OrdinaryFigures } from "../answers.ts";
import { cacheWeights, normalizedInput } from "./normalized.ts";

/** Says how sessions of ordinary work are used again, and what their input comes to. */
export function ordinaryFiguresOf(
  work: readonly OrdinarySessions[],
  catalogue: Catalogue,
): OrdinaryFigures[] {
  return work.map(({ program, sessions, returned, returns, usage }) => {
    const [whole, read, normalized] = usage.reduce<readonly [number, number, number]>(
      ([all, cached, weighed], { model, usage: sums }) => [
        all + sums.input + sums.cacheCreation5m + sums.cacheCreation1h + sums.cacheRead,
        cached + sums.cacheRead,
        weighed + normalizedInput(sums, cacheWeights(model, catalogue)),
      ],
      [0, 0, 0],
    );
    return {
      program,
      sessions,
      returned,
      returns,
      inputPerSession: sessions === 0 ? null : normalized / sessions,
      normalizedInput: normalized,
      wholeInput: whole,
      cacheHits: whole === 0 ? null : read / whole,
    };
  });
}
