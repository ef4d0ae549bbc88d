import type { CreateFeature } from "../hooks/feature.ts";
import { serveWakes } from "./host/serve-wakes.ts";

/** Records wakes of recurring agents, and shows their costs. */
export const wakesFeature: CreateFeature = (core) => ({
  name: "wakes",
  serve: [serveWakes(core?.ledger)],
});
