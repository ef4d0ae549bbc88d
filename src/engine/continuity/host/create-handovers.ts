import path from "node:path";
import type { SessionMemory } from "../../base/per-session.ts";
import type { HookSessions } from "../../sessions/reported.ts";
import { randomUUID } from "node:crypto";
import { type Clock, Throttle } from "../../base/timing.ts";
import type { DisposableList } from "../../base/events.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { InstalledPrograms } from "../../guard/guard-files.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { Continuity } from "./create-continuity.ts";
import { Handovers, type SessionWork } from "./handover-host.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { lstat } from "node:fs/promises";
import { isThere } from "../../base/files.ts";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { renderPacket } from "../packet/render.ts";
import type { EventNamed } from "../../hooks/event.ts";
import { defaultHookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import { handoverIn } from "../handover/identity.ts";

interface HandoverInput extends SessionWorkInput {
  readonly continuity: Pick<Continuity, "storyOf" | "packetOf" | "offeredTo" | "compactions">;
  readonly memory: Pick<SessionMemory, "part">;
  readonly hookSessions: Pick<HookSessions, "of">;
  readonly home: Pick<PurserPaths, "folder" | "handovers">;
  readonly settings: Pick<SettingsStore, "of" | "now">;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ledger: Pick<LedgerHost, "append" | "ask" | "onChange">;
  readonly owned: DisposableList;
  readonly onProblem: (message: string) => void;
}

/**
 * Time limit for git, as a person waits for it; and minimum time between two looks at new sessions.
 * Milliseconds.
 */
const [gitTime, lookInterval] = [5000, 3000];

export function createHandovers({ owned, ...input }: HandoverInput): Handovers {
  const { env, ledger } = input;
  const programs = new InstalledPrograms(env, gitTime);
  const handovers = new Handovers({
    ...input,
    git: (folder, args, settings) => programs.git(folder, args, settings),
    stampOf: fileStamp,
    isThere,
    packetOf: (session) => input.continuity.packetOf(session),
    putBack: {
      choose: (session, source, items) => input.continuity.compactions.guard.choose(session, source, items),
      waiting: (session, source) => input.continuity.compactions.guard.waiting(session, source),
    },
    isReached: (session) => input.hookSessions.of(session) !== undefined,
    offeredTo: (session) => input.continuity.offeredTo(session),
    workOf: sessionWorkOf(input),
    firstPromptOf: async (session) => {
      const packet = await input.continuity.packetOf(session);
      return packet?.asked.find(({ turn }) => turn === 1)?.text ?? null;
    },
    unique: randomUUID,
  });
  const look = owned.add(
    new Throttle(lookInterval, () => {
      void handovers.lookForSuccessors();
      return handovers.isWaiting;
    }),
  );
  // Sessions of an agent without hooks become known through the ledger.
  owned.add(ledger.onChange(() => look.request()));
  return handovers;
}

/** Returns a file's size and last modification time as one text. Null if unavailable. */
async function fileStamp(folder: string, file: string): Promise<string | null> {
  try {
    const { size, mtimeMs } = await lstat(path.join(folder, file));
    return `${size} ${mtimeMs}`;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

interface SessionWorkInput {
  readonly continuity: Pick<Continuity, "storyOf" | "packetOf">;
  /** Current size of a session's context. Undefined if unknown. Tokens. */
  readonly contextOf: (session: string) => { readonly tokens: number } | undefined;
}

/** Creates the function that describes a session's work as of now, for any agent. */
function sessionWorkOf({
  continuity,
  contextOf,
}: SessionWorkInput): (session: string) => Promise<SessionWork | null> {
  return async (session) => {
    const [found, packet] = [await continuity.storyOf(session), await continuity.packetOf(session)];
    if (found === null || packet === null) return null;
    return {
      packet,
      packetText: renderPacket(packet).text,
      folder: found.story.folder ?? packet.folder,
      summary: found.story.summary,
      carried: contextOf(session)?.tokens ?? null,
    };
  };
}

interface HandoverHandlerPorts {
  /** Called for a prompt that starts with a document. Works in the background. */
  readonly noteSession: (session: {
    readonly id: string;
    readonly program: string;
    readonly prompt: string;
  }) => void;
}

/** Reports which session starts with a handover document. Adds no text. */
export function handoverHandler({ noteSession }: HandoverHandlerPorts): HookHandler<"UserPromptSubmit"> {
  const answer = (event: EventNamed<"UserPromptSubmit">, { program } = defaultHookContext): null => {
    const { session_id: id, agent_id: agentId, prompt } = event;
    // A subagent's prompt is its agent's text.
    if (agentId === undefined && prompt !== undefined && handoverIn(prompt) !== null)
      noteSession({ id, program, prompt });
    return null;
  };
  return { name: "handover", events: ["UserPromptSubmit"], budget: 50, answer };
}
