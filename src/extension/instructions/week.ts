import type { WeekOfUse } from "../../engine/instructions/section-rent.ts";
import { WeekCounts } from "../editor/week-counts.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** Wakes of a week that are counted. */
const maxWakes = 20_000;

/** How often agents read instructions in the last week. */
export class RentWeek extends WeekCounts<WeekOfUse> {
  #wantsWakes = false;

  constructor(service: ServiceConnection, now: () => number) {
    super(service, now, async (since, signal) => {
      const read = await service.ask("useCounts", { asked: since }, signal);
      if (!read.ok || read.value.freshness.asOf === null) return undefined;
      const wakes = this.#wantsWakes ? await wakesSince(since, service, signal) : undefined;
      return { ...read.value.answer, ...(wakes === undefined ? {} : { wakes }) };
    });
  }

  /** Adds the wakes of recurring agents to the counts, from now on. */
  wantWakes(): void {
    const isNew = !this.#wantsWakes;
    this.#wantsWakes = true;
    this.want(isNew);
  }
}

/** Undefined where they are not known. */
async function wakesSince(
  since: number,
  service: ServiceConnection,
  signal: AbortSignal,
): Promise<WeekOfUse["wakes"]> {
  const read = await service.ask("wakes", { asked: { since, project: null, most: maxWakes } }, signal);
  if (!read.ok) return undefined;
  return read.value.answer.map(({ agent, project, reason, outcome }) => ({
    agent,
    project,
    reason,
    outcome,
  }));
}
