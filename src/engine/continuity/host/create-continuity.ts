import path from "node:path";
import type { SessionMemory } from "../../base/per-session.ts";
import { type Clock, TtlCache } from "../../base/timing.ts";
import { gitCommit, gitHead, type GitHead } from "../../budgets/git-branch.ts";
import type { HookSessions } from "../../sessions/reported.ts";
import type { SessionReader, SessionFeed } from "../../sessions/live.ts";
import { headHandler, SeenHeads, workBranch } from "./seen-heads.ts";
import type { ResumePacket } from "../packet/packet.ts";
import { packetHandler } from "../packet/packet-handler.ts";
import type { SessionStories, SessionStory } from "../story/session-stories.ts";
import type { HookService } from "../../hooks/dispatch.ts";
import type { GuardArms } from "../../hooks/feature.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import { keepScorecards } from "./keep-scorecard.ts";
import type { SentText } from "../../ledger/learned.ts";
import { repositoryRoot } from "../../base/paths.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import type { DisposableList } from "../../base/events.ts";
import { agentOf } from "../../transcripts/agents.ts";
import { CompactionHost } from "./compaction-host.ts";
import { createStart, type StartOffers } from "./create-start.ts";
import { existsSync } from "node:fs";
import { anyShell, cliBeside } from "../../hooks/install.ts";

export interface ContinuityInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly temporary: string;
  readonly platform: NodeJS.Platform;
  readonly hooksRepair?: string;
  readonly clock: Clock;
  readonly settings: Pick<SettingsStore, "of">;
  readonly arms: Pick<GuardArms, "isObserving">;
  readonly memory: Pick<SessionMemory, "part">;
  readonly ledger: Pick<LedgerHost, "append" | "ask" | "catchUp">;
  readonly hookSessions: Pick<HookSessions, "of">;
  readonly feed: Pick<SessionFeed, "onChange" | "complete">;
  readonly owned: DisposableList;
  readonly guards: {
    /** Whether texts of a kind are muted because they do not help. */
    readonly isSilent: (rule: SentText) => boolean;
  };
  readonly onProblem: (message: string) => void;
}

export interface Continuity {
  /** Returns a session's story up to now. Null if the session is unknown. */
  readonly storyOf: (sessionId: string) => Promise<SessionStory | null>;
  /** Todos left in a conversation that a person rewound. Null if nobody rewound it, or if unknown. */
  readonly todosAfterRewind: (sessionId: string) => Promise<number | null>;
  /** Makes a session's packet as of now. Null for an unknown session. */
  readonly packetOf: (sessionId: string) => Promise<ResumePacket | null>;
  readonly compactions: CompactionHost;
  readonly offers: StartOffers;
  /** The session that made the packet offered at this session's start. Null for none. */
  readonly offeredTo: (session: string) => string | null;
  readonly register: (hooks: Pick<HookService, "register">) => void;
  /** Finishes work that a killed service left. Called once the memory of sessions is read. */
  readonly resume: () => void;
}

/** Cache lifetime of a folder's project. Milliseconds. */
const projectCacheTtl = 60_000;
/** If another branch, or none, was checked out since, its commit is not the session's. */
function lastCommit(
  folder: string,
  { branch, now }: { readonly branch: string | null; readonly now: GitHead | null },
): string | null {
  if (branch !== null) return gitCommit(folder, branch);
  return now?.branch === null ? now.commit : null;
}

/** A row read later than this may name another branch than the current one. Milliseconds. */
const freshRow = 5000;
/** Time in which an agent writes the end of its transcript after its hook. Milliseconds. */
const writingTime = 1000;

/** Creates what follows sessions' stories. The code for it is loaded with the first story that is needed. */
export function createContinuity(input: ContinuityInput): Continuity {
  const { env, userHome: home, temporary, ledger, hookSessions, platform, onProblem } = input;
  const projects = new TtlCache((folder) => repositoryRoot(folder, home), {
    trust: projectCacheTtl,
    now: () => performance.now(),
  });
  const heads = new SeenHeads({ memory: input.memory, headOf: gitHead });
  const noteHead = ({ id, agent, account }: SessionReader) => {
    const folder = account.workingIn ?? account.cwd;
    const now = input.clock.now();
    const isFresh = Math.abs(now - (account.lastActivity ?? -Infinity)) <= freshRow;
    // Hooks report in time, and rows that name the branch are not late either.
    const isInTime = hookSessions.of(id) !== undefined || agentOf(agent.name).tellsBranch;
    if (folder !== null && isFresh && !isInTime) heads.look(id, folder, now);
  };
  input.owned.add(
    input.feed.onChange((readers) => {
      if (input.feed.complete) for (const reader of readers) noteHead(reader);
    }),
  );
  let loading: Promise<SessionStories> | null = null;
  const load = async () => {
    const { createStories } = await import("../story/create-stories.ts");
    return createStories({
      env,
      home,
      temporary,
      rootOf: (folder) => projects.get(folder),
      transcriptOf: (sessionId) => hookSessions.of(sessionId)?.transcript ?? undefined,
    });
  };
  const storyOf = async (sessionId: string) => {
    loading ??= load();
    const stories = await loading;
    return await stories.of(sessionId);
  };
  const packetOf = async (sessionId: string) => {
    const found = await storyOf(sessionId);
    if (found === null) return null;
    const { agent, story } = found;
    const at = story.folder;
    const folder = at === null ? null : projects.get(at);
    const now = at === null ? null : gitHead(at);
    const seen = heads.of(sessionId);
    const isHere = seen !== null && (folder === null || projects.get(seen.folder) === folder);
    const { tellsBranch: isExact } = agentOf(agent);
    const work = workBranch(story.branch, isHere ? seen : null, { isExact }) ?? now;
    const { branch = null, commit = null } = work ?? {};
    return story.packet({
      sessionId,
      agent,
      folder,
      branch,
      commit: commit ?? (at === null ? null : lastCommit(at, { branch, now })),
    });
  };
  const record = async (entry: LedgerEntry): Promise<boolean> => {
    try {
      const done = await ledger.append([entry]);
      if (!done.ok) onProblem(`The ledger has not a session's packet: ${done.detail.text}`);
      return done.ok;
    } catch (error) {
      onProblem(`The ledger has not a session's packet: ${String(error)}`);
      return false;
    }
  };
  const packets = packetHandler({
    packetOf,
    memory: input.memory,
    isOn: (folder) => input.settings.of(folder).continuityPackets,
    record,
    onProblem,
  });
  const scorecards = keepScorecards({
    ...input,
    packetOf,
    now: () => input.clock.now(),
    afterEnd: (run) => void setTimeout(run, writingTime).unref(),
  });
  const { isSilent } = input.guards;
  const compactions = new CompactionHost({
    ...input,
    isSilent,
    packetOf,
    compactionsOf: async (sessionId) => {
      const found = await storyOf(sessionId);
      return found === null ? null : { count: found.story.compactions, summary: found.story.summary };
    },
  });
  const start = createStart({
    ...input,
    isSilent,
    projectOf: (folder) => projects.get(folder),
    record: (entry) => void record(entry),
    isStored: packets.resumed,
    isInFirstTurn: async (sessionId) => {
      const packet = await packetOf(sessionId);
      return packet === null || packet.turns === 0 ? null : packet.turns === 1 && packet.lastReply === null;
    },
    command: packetCommand({ env, platform, program: input.hooksRepair }),
  });
  const register: Continuity["register"] = (hooks) => {
    hooks.register(headHandler({ heads, now: () => input.clock.now() }));
    hooks.register(packets.handler);
    hooks.register(scorecards);
    hooks.register(compactions.guard.handler);
    hooks.register(compactions.guard.laterHandler);
    hooks.register(start.handlers.start);
    hooks.register(start.handlers.later);
  };
  return {
    storyOf,
    todosAfterRewind: async (sessionId) => {
      const found = await storyOf(sessionId);
      return found?.isRewound === true ? found.story.openTodos : null;
    },
    packetOf,
    compactions,
    register,
    resume: packets.resume,
    offers: start.offers,
    offeredTo: start.handlers.offeredTo,
  };
}

interface CommandInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** A program in the service's folder. Undefined if there is none. */
  readonly program: string | undefined;
}

/** Returns the command line by which an agent gets a session's packet: `purser` need not be in the `PATH`. */
export function packetCommand({ env, platform, program }: CommandInput): (session: string) => string {
  return (session) => {
    const isFound = program === undefined || isInPath(env, platform);
    const cli = isFound ? "purser" : `node ${anyShell(cliBeside(program))}`;
    return `${cli} handover ${session} --print`;
  };
}

function isInPath(env: CommandInput["env"], platform: NodeJS.Platform): boolean {
  const name = platform === "win32" ? "purser.cmd" : "purser";
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(path.delimiter);
  return folders.some((folder) => path.isAbsolute(folder) && existsSync(path.join(folder, name)));
}
