import { type ResumePacket } from "../packet/packet.ts";
import type { EventNamed } from "../../hooks/event.ts";
import type { HookHandler } from "../../hooks/hooks-handler.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { scorecardOf, scorecardEntryOf } from "../scorecard.ts";

interface ScorecardPorts {
  readonly store: (session: string, folder: string | null) => Promise<void>;
  /** Runs something a moment later: an agent may write the end of its transcript after its hook. */
  readonly afterEnd: (run: () => void) => void;
  readonly onProblem: (message: string) => void;
}

/** Stores a session's scorecard at its end. Adds no text, and no hook waits for it. */
function scorecardHandler({ store, afterEnd, onProblem }: ScorecardPorts): HookHandler<"SessionEnd"> {
  const answer = (event: EventNamed<"SessionEnd">): null => {
    const { session_id: session, agent_id: agentId, cwd = null } = event;
    if (agentId === undefined)
      afterEnd(() => {
        store(session, cwd).catch((error: unknown) =>
          onProblem(`What a session came to is not kept: ${String(error)}`),
        );
      });
    return null;
  };
  return { name: "scorecard", events: ["SessionEnd"], budget: 20, answer };
}

export interface KeepingPorts {
  readonly ledger: Pick<LedgerHost, "append" | "ask" | "catchUp">;
  readonly settings: Pick<SettingsStore, "of">;
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
