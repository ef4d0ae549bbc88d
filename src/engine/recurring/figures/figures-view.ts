import type { QuestionAnswer, QuestionParams } from "../../ledger/questions.ts";
import { builtInCatalogue, type Catalogue } from "../../usage/catalogue.ts";
import type { EconomyView, OrdinaryFigures } from "../recurring-answers.ts";
import { economyReportOf } from "./report.ts";
import type { OrdinarySessions } from "../../ledger/continuity-questions.ts";
import { cacheWeights, normalizedInput } from "./normalized.ts";

type FigureKind = "wakes" | "ordinaryWork";
export type AskEconomy = <Name extends FigureKind>(
  name: Name,
  query: QuestionParams<Name>,
) => Promise<QuestionAnswer<Name>>;

/** Counted, and listed. */
const [maxCountedWakes, maxListedWakes] = [50_000, 100];

/** `project` is null for all. */
export async function economyViewOf(
  ask: AskEconomy,
  { since, project }: { readonly since: number; readonly project: string | null },
): Promise<EconomyView> {
  const all = await ask("wakes", { since, project: null, most: maxCountedWakes });
  const wakes = project === null ? all : all.filter((wake) => wake.project === project);
  return {
    report: economyReportOf(wakes, since),
    wakes: wakes.slice(0, maxListedWakes),
    ordinary: ordinaryFiguresOf(await ask("ordinaryWork", { since, project }), builtInCatalogue),
    projects: [...new Set(all.map((wake) => wake.project))].sort(),
  };
}

/** How ordinary sessions are continued, and the cost of their input. */
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
