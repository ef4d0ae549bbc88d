import type { CallGuardPorts } from "../../calls/calls-handler.ts";
import type { GuardHitEntry } from "../../hit-entry.ts";
import type { GuardFamily } from "../../../settings/guard-families.ts";
import type { CallTask } from "./call-task.ts";

const stopping: ReadonlySet<string> = new Set(["asked", "denied"]);

/** Ports of a guard that knows no session: it asks and denies, and gives no advice, which the session may have had. */
export function silentPorts(
  { guardMode, guardFamilies }: CallTask["settings"],
  hits: GuardHitEntry[],
): Omit<CallGuardPorts, "judge" | "contextOf"> {
  const modeOf = (family: GuardFamily) => guardFamilies[family] ?? guardMode;
  return {
    modeOf,
    isOn: () => true,
    record: (entries) => hits.push(...entries.filter(({ done }) => stopping.has(done))),
    told: { has: () => true, add: () => undefined },
    isSilent: () => true,
    now: () => Date.now(),
  };
}
