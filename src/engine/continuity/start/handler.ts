import * as z from "zod";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";
import type { HookAnswer } from "../../hooks/event/answer.ts";
import type { EventNamed } from "../../hooks/event/event.ts";
import { isHonoured } from "../../hooks/event/write-answer.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/handler.ts";
import type { ContinuitySettings } from "../../settings/continuity.ts";
import type { ResumePacket } from "../packet/packet.ts";
import { renderPacket } from "../packet/render.ts";
import { offerLine } from "./offer-line.ts";

type Event = EventNamed<"SessionStart">;

/** Where work is done. Packets are looked for by it. */
interface WorkPlace {
  /** The project's folder. */
  readonly folder: string;
  /** Null outside of a repository, and where no branch is checked out. */
  readonly branch: string | null;
}

export interface StartPorts {
  readonly memory: Pick<SessionMemory, "part">;
  readonly settingsOf: (
    folder: string | null,
  ) => Pick<ContinuitySettings, "continuityStart" | "continuityPacketTokens">;
  readonly placeOf: (folder: string) => WorkPlace | null;
  /** Returns the newest packets of other sessions at a place, the newest first. */
  readonly newestPackets: (
    wanted: WorkPlace & { readonly since: number; readonly except: string },
  ) => Promise<readonly ResumePacket[]>;
  /** The command line that prints a session's packet. */
  readonly command: (session: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A clock that is never set back. Milliseconds. */
  readonly elapsed: () => number;
}

/** Time limit for an answer, and for one that still counts. Milliseconds. */
const [limit, lateAfter] = [1000, 950];
/** A session that ended earlier is nothing to go on with. Milliseconds. */
const span = 7 * 24 * 60 * 60_000;

/** How agents call the beginning of a session that is neither resumed, forked, cleared nor compacted. */
const fresh: readonly unknown[] = ["startup", "new"];

const startState = z.object({ isBegun: z.boolean() });

/**
 * Gives a new session the packet of the last one on the same project and branch, or tells where it can be had. A session that goes on has it in
 * its history already.
 */
export function startHandler(ports: StartPorts): HookHandler<"SessionStart"> {
  const sessions: PerSession<z.infer<typeof startState>> = ports.memory.part("start", {
    schema: startState,
    empty: { isBegun: false },
  });

  /** Returns the folder of a session that is neither a subagent nor known; from now on it is known. */
  const claim = (event: Event, { program }: HookContext): string | null => {
    const { session_id: session, agent_id: agentId, cwd, hook_event_name: name } = event;
    if (agentId !== undefined || cwd === undefined || sessions.of(session).isBegun) return null;
    sessions.set(session, { isBegun: true });
    const isOn = ports.settingsOf(cwd).continuityStart !== "off";
    return isOn && isHonoured("context", name, program) ? cwd : null;
  };

  const begin = async (session: string, cwd: string): Promise<HookAnswer | null> => {
    const begun = ports.elapsed();
    const place = ports.placeOf(cwd);
    if (place === null) return null;
    const since = ports.now() - span;
    const packets = await ports.newestPackets({ ...place, since, except: session });
    const packet = packets.find(tellsAnything);
    if (packet === undefined || ports.elapsed() - begun > lateAfter) return null;
    const { continuityStart: mode, continuityPacketTokens: tokens } = ports.settingsOf(cwd);
    if (mode === "always")
      return { context: renderPacket(packet, { tokens }).text.trim(), rule: "resume-packet" };
    const line = offerLine(packet.sessionId, ports.command);
    return line === null ? null : { context: line, rule: "resume-offer" };
  };

  return {
    name: "start",
    events: ["SessionStart"],
    budget: limit,
    answer: (event, about = defaultHookContext) => {
      const cwd = claim(event, about);
      return cwd === null || !fresh.includes(event.source) ? null : begin(event.session_id, cwd);
    },
  };
}

/** A session in which nothing was done leaves nothing to go on with. */
function tellsAnything({ files, open, decisions, deadEnds, errors, done }: ResumePacket): boolean {
  return [files, open, decisions, deadEnds, errors, done].some((part) => part.length > 0);
}
