import type { Clock } from "../../base/timing.ts";
import { manifestHash } from "../../bench/fixture.ts";
import type { PlanPorts } from "../../bench/bench-request.ts";

/**
 * Cache lifetime: checking every installed file can take most of a second, and a form plans at every change.
 * Milliseconds.
 */
const intactFor = 30_000;

export function plannedInstalls(
  look: PlanPorts["pendingInstall"],
  clock: Clock,
): PlanPorts["pendingInstall"] {
  const intact = new Map<string, number>();
  return async (fixture) => {
    const key = `${fixture.folder}\0${manifestHash(fixture.manifest)}\0${String(fixture.installScripts)}`;
    const now = clock.now();
    for (const [each, at] of intact) if (Math.abs(now - at) >= intactFor) intact.delete(each);
    if (intact.has(key)) return null;
    const pending = await look(fixture);
    if (pending === null) intact.set(key, now);
    return pending;
  };
}
