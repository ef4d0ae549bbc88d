import type { BenchChoices } from "../../engine/jobs/answers/bench.ts";

/** Says whether runs can be made with a driver here. */
export function isReadyIn(drivers: BenchChoices["drivers"], wanted: string): boolean {
  return drivers.some(({ name, isReady }) => name === wanted && isReady);
}
