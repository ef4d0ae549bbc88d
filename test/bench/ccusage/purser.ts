import { builtInCatalogue } from "../../../src/engine/usage/catalogue.ts";
import { localDays } from "../../../src/engine/usage/local-day.ts";
import { withCollected } from "../../agents/scenarios/collected.ts";
import { tokensOf, type Tokens } from "../../agents/scenarios/tokens.ts";
import type { CaseHome } from "./home.ts";

/** Returns purser's count for a case's files, collected into a ledger and queried the way the service does it. */
export async function countWithPurser(place: CaseHome): Promise<Tokens> {
  return withCollected(place, ({ ledger, freshness, complaints }) => {
    const problems = [...complaints, ...freshness.problems.map(({ path, reason }) => `${path}: ${reason}`)];
    if (problems.length > 0) throw new Error(problems.join("; "));
    const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
    const { totals } = ledger.ask("usage", { by: "model", since: null, until: null }, basis);
    return tokensOf(totals.usage);
  });
}
