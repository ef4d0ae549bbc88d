import { priceUsage } from "../../usage/price.ts";
import { Sum } from "../../usage/sum.ts";
import type { LedgerFilter, Overview } from "../ledger-answers.ts";
import type { LedgerBasis } from "../basis.ts";
import { textIn } from "../store/cell.ts";
import { afterCounted, countedColumns, countedIn } from "../store/counted-row.ts";
import type { Database } from "../store/database.ts";
import { Breakdown } from "./rereads.ts";
import { predicatesOf } from "./use-counts.ts";

const selected = `SELECT ${countedColumns}, machine FROM responses WHERE is_counted = 1 AND session_id = ?`;

/**
 * Usage by hour for a filter of a single day; null for any other filter. Sums are kept by day, so the day's responses are
 * read again.
 *
 * @param sessions those with responses that pass the filter
 */
export function usageByHour(
  db: Database,
  basis: LedgerBasis,
  { filter, sessions }: { readonly filter: LedgerFilter; readonly sessions: Iterable<string> },
): Overview["hours"] {
  const { since, until } = filter;
  if (since === null || since !== until) return null;
  const predicates = predicatesOf(filter, basis);
  const hours = new Map<number, Breakdown>();
  for (const session of sessions)
    db.each(selected, [session], (cells) => {
      const response = countedIn(cells);
      const { at, cwd, model } = response;
      if (!predicates.isMachine(textIn(cells[afterCounted]))) return;
      if (at === null || !predicates.isDay(basis.dayOf(at)) || !predicates.isProject(cwd)) return;
      const hour = new Date(at).getHours();
      const models = hours.get(hour) ?? new Breakdown();
      const sum = new Sum();
      sum.add(response, priceUsage(response, basis.catalogue));
      models.include(model, sum);
      hours.set(hour, models);
    });
  return [...hours]
    .sort(([one], [other]) => one - other)
    .map(([hour, models]) => ({ hour, models: models.parts() }));
}
