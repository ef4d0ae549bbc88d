import type { QuestionAnswer, QuestionParams } from "../../ledger/questions/questions.ts";
import { builtInCatalogue } from "../../usage/catalogue.ts";
import type { EconomyView } from "../answers.ts";
import { ordinaryFiguresOf } from "./ordinary.ts";
import { economyReportOf } from "./report.ts";

type Asked = "wakes" | "ordinaryWork";
/** Asks the ledger. */
export type AskEconomy = <Name extends Asked>(
  name: Name,
  query: QuestionParams<Name>,
) => Promise<QuestionAnswer<Name>>;

/** Wakes that are counted, and those that are listed. */
const [mostCounted, mostListed] = [50_000, 100];

/** Says what recurring agents and sessions of ordinary work cost. @param project null for all */
export async function economyViewOf(
  ask: AskEconomy,
  { since, project }: { readonly since: number; readonly project: string | null },
): Promise<EconomyView> {
  const all = await ask("wakes", { since, project: null, most: mostCounted });
  const wakes = project === null ? all : all.filter((wake) => wake.project === project);
  return {
    report: economyReportOf(wakes, since),
    wakes: wakes.slice(0, mostListed),
    ordinary: ordinaryFiguresOf(await ask("ordinaryWork", { since, project }), builtInCatalogue),
    projects: [...new Set(all.map((wake) => wake.project))].sort(),
  };
}
