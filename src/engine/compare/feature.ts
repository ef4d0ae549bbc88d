import type { CreateFeature } from "../hooks/feature.ts";
import { serveComparisons } from "./serve-comparisons.ts";

/** Records settled comparisons of clients. */
export const comparisonFeature: CreateFeature = (core) => ({
  name: "comparisons",
  serve: [serveComparisons(core?.ledger)],
});
