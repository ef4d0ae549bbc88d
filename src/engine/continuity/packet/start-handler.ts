import * as z from "zod/mini";
import { maxSessions, type PerSession, type SessionMemory } from "../../base/per-session.ts";
import { type HookAnswer, type EventNamed, isHonoured } from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { SentText } from "../../ledger/learned.ts";
import type { ContinuitySettings } from "../../settings/shape.ts";
import { renderPacket } from "./render.ts";
import type { ResumePacket } from "./packet.ts";

interface WorkPlace {
  readonly folder: string;
  /** Null outside of a repository, and if no branch is checked out. */
  readonly branch: string | null;
}

export interface LastWorkPorts {
  readonly placeOf: (folder: string) => WorkPlace | null;
  /** Returns the newest packets of other sessions at a place, the newest first. */
  readonly newestPackets: (
    wanted: WorkPlace & { readonly since: number; readonly until: number; readonly except: string },
  ) => Promise<readonly ResumePacket[]>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Maximum age of a session that can be continued. Milliseconds. */
const span = 7 * 24 * 60 * 60_000;
/** A packet may be this much in the future: clocks of machines differ. Milliseconds. */
const ahead = 24 * 60 * 60_000;

/** Returns the packet of the last other session on a folder's project and branch. Null if there is none. */
export async function lastWork(
  { folder, session }: { readonly folder: string; readonly session: string },
  { placeOf, newestPackets, now }: LastWorkPorts,
): Promise<ResumePacket | null> {
  const place = placeOf(folder);
  if (place === null) return null;
  const packets = await newestPackets({
    ...place,
    since: now() - span,
    until: now() + ahead,
    except: session,
  });
  return packets.find(tellsAnything) ?? null;
}

/** A session without any work leaves nothing to continue. */
function tellsAnything({ files, open, decisions, deadEnds, errors, done }: ResumePacket): boolean {
  return [files, open, decisions, deadEnds, errors, done].some((part) => part.length > 0);
}

/** Ids of sessions as agents make them: nothing else gets onto a command line. */
const plainId = /^[\w.-]{1,128}$/u;

/** One line that explains how to get a session's packet. Null if the id is not a plain word. */
function offerLine(session: string, command: (session: string) => string): string | null {
  if (!plainId.test(session) || session.startsWith("-")) return null;
  return `Context Purser: notes on the last session on this project and branch (files, decisions, dead ends, open work) are printed by \`${command(session)}\`. Read them if the task goes on with that work.`;
}

const later = ["UserPromptSubmit", "PostToolUse"] as const;
type Event = EventNamed<"SessionStart" | (typeof later)[number]>;

export interface StartPorts extends LastWorkPorts {
  readonly memory: Pick<SessionMemory, "part">;
  readonly settingsOf: (
    folder: string | null,
    session: string,
  ) => Pick<ContinuitySettings, "continuityStart" | "continuityPacketTokens">;
  /** Whether texts of a kind are muted because they do not help. */
  readonly isSilent: (rule: SentText) => boolean;
  /** Whether a session is in its first turn, from its transcript. Null if the transcript does not show it. */
  readonly isInFirstTurn: (session: string) => Promise<boolean | null>;
  readonly command: (session: string) => string;
  /** Runs something a moment later, once the hook is answered. */
  readonly afterAnswer: (run: () => void) => void;
  /** Called when a session is given the packet of another one. @param tokens of the text, estimated */
  readonly onGiven: (given: {
    readonly session: string;
    readonly from: string;
    readonly tokens: number;
  }) => void;
  readonly onProblem: (message: string) => void;
  /** A clock that is never set back. Milliseconds. */
  readonly elapsed: () => number;
}

/**
 * Time limits for an answer at a session's start, for a late one that still counts, and for one found before.
 * Milliseconds.
 */
const [limit, lateAfter, laterLimit] = [1000, 950, 5];
/** Maximum reads for a session without a transcript file. */
const maxLooks = 5;

/** Agents' names for the start of a session that is not resumed, forked, cleared or compacted. */
const fresh: readonly unknown[] = ["startup", "new"];

const startState = z.object({
  isBegun: z.boolean(),
  isFresh: z.optional(z.boolean()),
  offered: z.optional(z.string()),
});

interface Found {
  readonly answer: HookAnswer;
  readonly from: string;
  /** Estimated tokens of a packet's text. Null for an offer. */
  readonly tokens: number | null;
}

export interface StartHandlers {
  readonly start: HookHandler<"SessionStart">;
  /** At the first prompt or call that finds an answer ready which the start could not give. */
  readonly later: HookHandler<(typeof later)[number]>;
  readonly isFresh: (session: string) => boolean | null;
  readonly offeredTo: (session: string) => string | null;
}

/**
 * Gives a new session the last packet of the same project and branch, or says where to get it. A continued
 * session already has it in its history. If the session's own start launched the service, nothing answered
 * that hook. The packet is then looked up in the background from the first prompt, and sent by the first hook
 * that finds it.
 */
export function startHandlers(ports: StartPorts): StartHandlers {
  const sessions: PerSession<z.infer<typeof startState>> = ports.memory.part("start", {
    schema: startState,
    empty: { isBegun: false },
  });
  const ready = new Map<string, Found>();
  const looks = new Map<string, number>();

  /** Whether this is the first hook received from a session's main agent. */
  const isFirst = ({ session_id: session, agent_id: agentId }: Event) =>
    agentId === undefined && !sessions.of(session).isBegun;
  const isOn = (session: string, cwd: string) => ports.settingsOf(cwd, session).continuityStart !== "off";

  const find = async (session: string, cwd: string): Promise<Found | null> => {
    const packet = await lastWork({ folder: cwd, session }, ports);
    if (packet === null) return null;
    const { continuityStart: mode, continuityPacketTokens: tokens } = ports.settingsOf(cwd, session);
    if (mode === "off") return null;
    const from = packet.sessionId;
    if (ports.isSilent(mode === "always" ? "resume-packet" : "resume-offer")) return null;
    if (mode === "always") {
      const { text, tokens: taken } = renderPacket(packet, { tokens });
      return { answer: { context: text.trim(), rule: "resume-packet" }, from, tokens: taken };
    }
    const line = offerLine(from, ports.command);
    return line === null ? null : { answer: { context: line, rule: "resume-offer" }, from, tokens: null };
  };

  const tell = (session: string, { answer, from, tokens }: Found): HookAnswer => {
    if (tokens === null) sessions.set(session, { ...sessions.of(session), offered: from });
    else ports.onGiven({ session, from, tokens });
    return answer;
  };

  const begin = async (session: string, cwd: string): Promise<HookAnswer | null> => {
    const startedAt = ports.elapsed();
    const found = await find(session, cwd);
    if (found === null) return null;
    if (ports.elapsed() - startedAt <= lateAfter) return tell(session, found);
    remember(ready, session, found);
    return null;
  };

  const look = async (session: string, cwd: string): Promise<void> => {
    const isNew = await ports.isInFirstTurn(session);
    // The transcript may be written a moment later; and another look may have been faster.
    if (isNew === null || sessions.of(session).isBegun) return;
    sessions.set(session, { isBegun: true });
    const found = isNew ? await find(session, cwd) : null;
    if (found !== null) remember(ready, session, found);
  };

  const lookLater = ({ session_id: session, cwd }: Event): void => {
    const count = looks.get(session) ?? 0;
    if (cwd === undefined || count >= maxLooks || !isOn(session, cwd)) return;
    remember(looks, session, count + 1);
    ports.afterAnswer(() => {
      look(session, cwd).catch((error: unknown) =>
        ports.onProblem(`What the last session left was not looked for: ${String(error)}`),
      );
    });
  };

  return {
    start: {
      name: "start",
      events: ["SessionStart"],
      budget: limit,
      answer: (event, { program } = defaultHookContext) => {
        const { session_id: session, cwd, source, hook_event_name: name } = event;
        if (cwd === undefined || !isFirst(event)) return null;
        const isFresh = fresh.includes(source);
        sessions.set(session, { isBegun: true, isFresh });
        return isFresh && isOn(session, cwd) && isHonoured("context", name, program)
          ? begin(session, cwd)
          : null;
      },
    },
    later: {
      name: "start-later",
      events: later,
      budget: laterLimit,
      answer: (event, { program }: HookContext = defaultHookContext) => {
        const { session_id: session, hook_event_name: name, agent_id: agentId } = event;
        if (agentId !== undefined) return null;
        const found = ready.get(session);
        if (found === undefined) {
          if (isFirst(event)) lookLater(event);
          return null;
        }
        if (!isHonoured("context", name, program)) return null;
        ready.delete(session);
        return tell(session, found);
      },
    },
    isFresh: (session) => sessions.of(session).isFresh ?? null,
    offeredTo: (session) => sessions.of(session).offered ?? null,
  };
}

/** Keeps something of a session; with too many sessions, the oldest is forgotten. */
function remember<Value>(held: Map<string, Value>, session: string, value: Value): void {
  held.set(session, value);
  const [oldest] = held.keys();
  if (held.size > maxSessions && oldest !== undefined) held.delete(oldest);
}
