import { systemClock } from "../../../src/engine/base/timing.ts";
import { KnownProjects } from "../../../src/engine/base/disk/known-projects.ts";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../src/engine/usage/local-day.ts";
import { withCollected } from "../../agents/scenarios/collected.ts";
import { tokensOf } from "../../agents/scenarios/tokens.ts";
import type { Figures } from "./case.ts";
import type { CaseHome } from "./home.ts";

/** Returns purser's figures for a case's files, collected into a ledger and queried the way the service does it. */
export async function countWithPurser(place: CaseHome): Promise<Figures> {
  return withCollected(place, async ({ ledger, freshness, complaints, collectAgain }) => {
    place.goOn();
    const again = await collectAgain();
    const problems = [
      ...[complaints, again.complaints].flat(),
      ...[freshness, again.freshness]
        .flatMap((each) => each.problems)
        .map(({ path, reason }) => `${path}: ${reason.text}`),
    ];
    if (problems.length > 0) throw new Error(problems.join("; "));
    const known = new KnownProjects(`${place.home}/projects.json`, () => systemClock.now());
    const basis = {
      catalogue: builtInCatalogue,
      dayOf: localDays(),
      projectOf: (folder: string) => known.of(folder),
    };
    const { rows, totals } = ledger.ask("usage", { by: "project", since: null, until: null }, basis);
    const projects = new Set(rows.map(({ key }) => key)).size;
    return { tokens: tokensOf(totals.usage), usd: totals.usd, projects };
  });
}
