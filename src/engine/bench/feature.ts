import type { CreateFeature } from "../hooks/feature.ts";
import { serveRuns } from "./serve-runs.ts";

/** Records golden runs of clients. */
export const runsFeature: CreateFeature = (core) => ({
  name: "golden runs",
  serve: [serveRuns(core?.ledger)],
});
