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
  let intact: { readonly key: string; readonly at: number } | undefined;
  return async (fixture) => {
    const key = `${fixture.folder}\0${manifestHash(fixture.manifest)}\0${String(fixture.installScripts)}`;
    const now = clock.now();
    if (intact?.key === key && Math.abs(now - intact.at) < intactFor) return null;
    const pending = await look(fixture);
    intact = pending === null ? { key, at: now } : undefined;
    return pending;
  };
}
