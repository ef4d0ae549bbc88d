import { readJson } from "../../base/parse.ts";
import { scrubName } from "../../base/scrub.ts";
import type { SessionMemory } from "../../base/per-session.ts";
import type { Clock } from "../../base/timing.ts";
import { gitBranch } from "../../budgets/git-branch.ts";
import { resumePacket } from "../packet/packet.ts";
import {
  startHandlers,
  type StartHandlers,
  type StartPorts,
  lastWork,
  type LastWorkPorts,
} from "../start/start-handler.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import { StartOffers } from "./start-offers.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";

export interface StartInput extends Pick<StartPorts, "command" | "isInFirstTurn" | "isSilent" | "onProblem"> {
  readonly memory: Pick<SessionMemory, "part">;
  readonly settings: Pick<SettingsStore, "of">;
  readonly ledger: Pick<LedgerHost, "ask">;
  readonly clock: Clock;
  /** Returns the project of a folder. */
  readonly projectOf: (folder: string) => string;
  /** Resolves when the packets of earlier sessions are stored. */
  readonly isStored: () => Promise<void>;
  /** Records something in the background. */
  readonly record: (entry: LedgerEntry) => void;
}

/** Maximum packets that are searched for one with content. */
const maxPackets = 10;
/** Time in which an agent writes a prompt after its hook. Milliseconds. */
const writingTime = 250;

/** The branch's name as packets have it: without keys. */
function branchOf(folder: string): string | null {
  const branch = gitBranch(folder);
  return branch === null ? null : scrubName(branch);
}

/** Creates the handlers that give a new session the last one's packet, from the ledger. */
export function createStart({
  memory,
  settings,
  ledger,
  clock,
  projectOf,
  record,
  isStored,
  ...rest
}: StartInput): {
  readonly handlers: StartHandlers;
  readonly offers: StartOffers;
} {
  const ports: LastWorkPorts = {
    placeOf: (folder) => ({ folder: projectOf(folder), branch: branchOf(folder) }),
    newestPackets: async (wanted) => {
      await isStored();
      const asked = await ledger.ask("newestPackets", { ...wanted, most: maxPackets });
      if (!asked.ok) return [];
      return asked.value.flatMap((text) => readJson(resumePacket, text) ?? []);
    },
    now: () => clock.now(),
  };
  const handlers = startHandlers({
    ...ports,
    ...rest,
    memory,
    settingsOf: (folder) => settings.of(folder),
    onGiven: ({ session: sessionId, from: fromSession, tokens }) => {
      record({ kind: "given-packet", sessionId, fromSession, at: clock.now(), tokens });
    },
    afterAnswer: (run) => void setTimeout(run, writingTime).unref(),
    elapsed: () => performance.now(),
  });
  const offers = new StartOffers({
    settings,
    ledger,
    isFresh: handlers.isFresh,
    lastWork: (asked) => lastWork(asked, ports),
  });
  return { handlers, offers };
}
