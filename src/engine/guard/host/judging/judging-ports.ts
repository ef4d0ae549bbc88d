import type { CallGuardPorts } from "../../calls/calls-handler.ts";
import type { GuardHitEntry } from "../../hit-entry.ts";
import type { GuardSettings, GuardFamily } from "../../../settings/guard.ts";
import type { PurserPaths } from "../../../base/paths.ts";
import type { JudgedEvent } from "../../calls/not-judged.ts";
import type { HookAnswer } from "../../../hooks/event.ts";
import type { HookContext } from "../../../hooks/hooks-handler.ts";

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
    sent: { has: () => true, add: () => undefined },
    isSilent: () => true,
    now: () => Date.now(),
  };
}

/** A call for the thread. Its context is without what no thread can be sent. */
export interface CallTask {
  readonly userHome: string;
  readonly temporary: string;
  readonly home: Pick<PurserPaths, "guardRules" | "trustedFolders">;
  readonly event: JudgedEvent;
  readonly about: Omit<HookContext, "signal" | "answered">;
  readonly settings: Pick<GuardSettings, "guardMode" | "guardFamilies">;
}

export interface CallDone {
  readonly answer: HookAnswer | null;
  readonly hits: readonly GuardHitEntry[];
}
