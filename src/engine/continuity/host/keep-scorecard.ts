import type { ResumePacket } from "../packet/packet.ts";
import { scorecardHandler } from "../scorecard/scorecard-handler.ts";
import { scorecardEntryOf } from "../scorecard/kept.ts";
import { scorecardOf } from "../scorecard/scorecard.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";

export interface KeepingPorts {
  readonly ledger: Pick<LedgerHost, "append" | "ask" | "catchUp">;
  readonly settings: Pick<SettingsStore, "of">;
  /** Makes a session's packet as of now. Null for an unknown session. */
  readonly packetOf: (session: string) => Promise<ResumePacket | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly afterEnd: (run: () => void) => void;
  readonly onProblem: (message: string) => void;
}

/** Maximum wait for the ledger to read the last writes of a session. Milliseconds. */
const maxCatchUpMs = 60_000;

/**
 * Creates the function that stores a session's scorecard at its end. Later the transcript may be gone, and
 * the medians different.
 */
export function keepScorecards({ ledger, settings, packetOf, now, afterEnd, onProblem }: KeepingPorts) {
  const store = async (session: string, folder: string | null): Promise<void> => {
    await ledger.catchUp(AbortSignal.timeout(maxCatchUpMs));
    const figures = await ledger.ask("sessionFigures", session);
    if (!figures.ok || figures.value === null || figures.value.own.prompts === 0) return;
    // Sentences about finished and open work belong to the packet, and are stored only with it.
    const packet = settings.of(folder).continuityPackets ? await packetOf(session) : null;
    const kept = await ledger.append([scorecardEntryOf(scorecardOf(figures.value, packet), now())]);
    if (!kept.ok) onProblem(`What a session came to is not kept: ${kept.detail.text}`);
  };
  return scorecardHandler({ store, afterEnd, onProblem });
}
