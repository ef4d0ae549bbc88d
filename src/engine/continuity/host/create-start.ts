import { readJson } from "../../base/parse.ts";
import { scrubName } from "../../base/scrub.ts";
import type { SessionMemory } from "../../base/per-session.ts";
import type { Clock } from "../../base/timing.ts";
import { gitBranch } from "../../budgets/git-branch.ts";
import { resumePacket, type ResumePacket } from "../packet/packet.ts";
import {
  startHandlers,
  type StartHandlers,
  type StartPorts,
  lastWork,
  type LastWorkPorts,
} from "../packet/start-handler.ts";
import type { GuardArms } from "../../hooks/feature.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { cleanText, cutEnd } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { PacketText, StartOffer } from "../continuity-answers.ts";
import { renderPacket } from "../packet/render.ts";
import { readPacket } from "../scorecard.ts";
import { sentence } from "../../base/language.ts";

export interface OfferPorts {
  readonly settings: Pick<SettingsStore, "of">;
  readonly ledger: Pick<LedgerHost, "ask">;
  /** Whether a session started fresh, from its hooks. Null if no hook reported it. */
  readonly isFresh: (session: string) => boolean | null;
  /** The packet of the last other session on the project and branch of a folder. */
  readonly lastWork: (asked: {
    readonly folder: string;
    readonly session: string;
  }) => Promise<ResumePacket | null>;
}

const maxTitleLength = 80;

/** Offers a window the last session's work, for a new session. */
export class StartOffers {
  readonly #ports: OfferPorts;

  constructor(ports: OfferPorts) {
    this.#ports = ports;
  }

  /**
   * Null for a session that is continued, runs a golden task or has the packet already, and if there is
   * nothing to continue.
   */
  async offerFor(session: string, folder: string): Promise<Result<{ offer: StartOffer | null }>> {
    const { settings, ledger, isFresh, lastWork } = this.#ports;
    const { continuityStart: mode } = settings.of(folder);
    const began = isFresh(session);
    const hasPacket = mode === "always" && began === true;
    if (mode === "off" || began === false || hasPacket) return succeed({ offer: null });
    const origin = await ledger.ask("sessionOrigin", session);
    if (!origin.ok) return origin;
    if (origin.value?.isFork === true || origin.value?.isTask === true) return succeed({ offer: null });
    const packet = await lastWork({ folder, session });
    if (packet === null) return succeed({ offer: null });
    const before = await ledger.ask("sessionOrigin", packet.sessionId);
    const title = (before.ok ? before.value?.title : null) ?? packet.asked[0]?.text ?? null;
    const { sessionId, agent: program, at, turns } = packet;
    const shortTitle = title === null ? null : cutEnd(cleanText(title), maxTitleLength);
    return succeed({
      offer: { sessionId, program, title: shortTitle === "" ? null : shortTitle, at, turns },
    });
  }

  async textOf(session: string): Promise<Result<PacketText>> {
    const asked = await this.#ports.ledger.ask("packetOf", session);
    if (!asked.ok) return asked;
    const packet = readPacket(asked.value);
    if (packet === null)
      return fail("no_packet", sentence("the ledger has no packet of this session any more"));
    const tokens = this.#ports.settings.of(packet.folder).continuityPacketTokens;
    const { text, tokens: used } = renderPacket(packet, { tokens });
    return succeed({ text, tokens: used });
  }
}

interface StartInput extends Pick<StartPorts, "command" | "isInFirstTurn" | "isSilent" | "onProblem"> {
  readonly memory: Pick<SessionMemory, "part">;
  readonly settings: Pick<SettingsStore, "of">;
  readonly arms: Pick<GuardArms, "isObserving">;
  readonly ledger: Pick<LedgerHost, "ask">;
  readonly clock: Clock;
  readonly projectOf: (folder: string) => string;
  readonly isStored: () => Promise<void>;
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
  arms,
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
    settingsOf: (folder, session) => {
      const own = settings.of(folder);
      return arms.isObserving(session, "continuity") ? { ...own, continuityStart: "off" } : own;
    },
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
