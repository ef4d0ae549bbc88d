import type { ResumePacket } from "../packet/packet.ts";
import { scorecardHandler } from "../scorecard/scorecard-handler.ts";
import { scorecardEntryOf } from "../scorecard/kept.ts";
import { scorecardOf } from "../scorecard/scorecard.ts";
import type { LedgerHost } from "../../ledger/host/ledger-host.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";

export interface KeepingPorts {
  readonly ledger: Pick<LedgerHost, "append" | "ask" | "catchUp">;
  readonly settings: Pick<SettingsStore, "of">;
  /** Makes a session's packet as of now; null for a session of which nothing is known. */
  readonly packetOf: (session: string) => Promise<ResumePacket | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly afterEnd: (run: () => void) => void;
  readonly onProblem: (message: string) => void;
}

/** Longest time to wait for the ledger to read what a session's end wrote. Milliseconds. */
const longestCatchUp = 60_000;

/** Creates what keeps, at a session's end, what it came to: its transcript may be gone and what is usual another when it is looked at. */
export function keepScorecards({ ledger, settings, packetOf, now, afterEnd, onProblem }: KeepingPorts) {
  const store = async (session: string, folder: string | null): Promise<void> => {
    await ledger.catchUp(AbortSignal.timeout(longestCatchUp));
    const figures = await ledger.ask("sessionFigures", session);
    if (!figures.ok || figures.value === null || figures.value.own.prompts === 0) return;
    // Sentences on what was done and left open are the packet's, and are kept with it.
    const packet = settings.of(folder).continuityPackets ? await packetOf(session) : null;
    const kept = await ledger.append([scorecardEntryOf(scorecardOf(figures.value, packet), now())]);
    if (!kept.ok) onProblem(`What a session came to is not kept: ${kept.detail}`);
  };
  return scorecardHandler({ store, afterEnd, onProblem });
}
