import type { PurserPaths } from "../../../base/disk/home.ts";
import type { JudgedEvent } from "../../calls/not-judged.ts";
import type { GuardHitEntry } from "../../hit-entry.ts";
import type { HookAnswer } from "../../../hooks/event/hooks-answer.ts";
import type { HookContext } from "../../../hooks/hooks-handler.ts";
import type { GuardSettings } from "../../../settings/guard.ts";

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
