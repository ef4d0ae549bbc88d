import type { BenchChoices } from "../../engine/jobs/answers/bench.ts";

/** Whether runs can be made with this driver here. */
export function isReadyIn(drivers: BenchChoices["drivers"], wanted: string): boolean {
  return drivers.some(({ name, isReady }) => name === wanted && isReady);
}
