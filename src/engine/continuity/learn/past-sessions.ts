import type { Result } from "../../base/result.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { AgentName } from "../../transcripts/agents.ts";
import { type PastEvent, readPast, type PastFile } from "../../transcripts/past.ts";
import type { ResumePacket } from "../packet/packet.ts";
import type { ReadLine } from "../story/read-line.ts";
import { KeptTurns } from "../story/kept-turns.ts";
import { Story } from "../story/story.ts";
import { factsText, keyOf } from "./fact.ts";
import type { Pace, LearnTask, SessionFold } from "./task.ts";
import { sentence } from "../../base/language.ts";

export interface LearnFile extends PastFile {
  readonly agent: AgentName;
}

export interface ReadingPorts {
  readonly readLine: ReadLine;
  /** Returns the project's folder of a working folder. */
  readonly rootOf: (folder: string) => string;
  readonly pace: Pick<Pace, "isDue" | "rest">;
  readonly signal: AbortSignal;
}

export interface SessionRead {
  readonly packet: ResumePacket;
  /** Whether a person went back in it. It may then have fewer prompts than before. */
  readonly isRewound: boolean;
  readonly entries: readonly LedgerEntry[];
}

/** Sessions of one file; further ones are left out. */
const maxSessions = 40;

/**
 * Reads a file to its end, once for all tasks, and once more if a person went back, because abandoned turns
 * yield no lessons. Subagents' calls count only for the files of their session's packet.
 */
export async function readSessions(
  file: LearnFile,
  { tasks, stamp }: { readonly tasks: readonly LearnTask[]; readonly stamp: string },
  ports: ReadingPorts,
): Promise<Result<readonly SessionRead[], "unread" | "unreadable" | "cancelled">> {
  let sessions = new Map<string, Session>();
  const { pace, signal } = ports;
  for (let isWhole = false; !isWhole;) {
    const earlier = sessions;
    sessions = new Map<string, Session>();
    const read = await readPast(file, async (events) => {
      for (const event of events) {
        if (signal.aborted) return;
        let session = sessions.get(event.sessionId);
        if (session === undefined) {
          if (sessions.size >= maxSessions) continue;
          session = new Session(tasks, ports, earlier.get(event.sessionId)?.turns.left);
          sessions.set(event.sessionId, session);
        }
        session.add(event);
        if (pace.isDue) await pace.rest();
      }
    });
    if (signal.aborted)
      return { ok: false, reason: "cancelled", detail: sentence("stopped before the file was read") };
    if (!read.ok) return read;
    isWhole = [...sessions.values()].every(({ turns }) => !turns.isChanged);
  }
  const source = keyOf(file.path);
  return {
    ok: true,
    value: [...sessions].flatMap(([sessionId, session]) =>
      session.sessionReads({ sessionId, agent: file.agent, source, stamp }),
    ),
  };
}

interface Named {
  readonly sessionId: string;
  readonly agent: AgentName;
  readonly source: string;
  readonly stamp: string;
}

class Session {
  readonly turns: KeptTurns;
  readonly #ports: Pick<ReadingPorts, "readLine" | "rootOf">;
  readonly #story: Story;
  readonly #folds: readonly { readonly task: LearnTask; readonly fold: SessionFold }[];
  #folder: string | null = null;
  #root: string | null = null;
  #origin: string | null = null;

  /** @param left prompts that are known to be abandoned */
  constructor(tasks: readonly LearnTask[], ports: ReadingPorts, left?: ReadonlySet<number>) {
    this.turns = new KeptTurns(left);
    this.#ports = ports;
    this.#story = new Story(ports);
    this.#folds = tasks.flatMap((task) =>
      task.observe === undefined ? [] : [{ task, fold: task.observe() }],
    );
  }

  add(event: PastEvent): void {
    if (!this.turns.keeps(event)) return;
    const action = this.#story.add(event);
    if (event.agentId !== null) return;
    if (event.folder !== null && event.folder !== this.#folder) {
      this.#folder = event.folder;
      this.#root = this.#ports.rootOf(event.folder);
    }
    if (event.kind === "call") this.#origin ??= keyOf(event.id);
    const seen = { event, action, turn: this.#story.turns, root: this.#root };
    for (const { fold } of this.#folds) fold.add(seen);
  }

  /** Empty for a session without prompts or a folder. */
  sessionReads({ sessionId, agent, source, stamp }: Named): SessionRead[] {
    const packet = this.#story.packet({ sessionId, agent, folder: null, commit: null });
    const { folder: project, turns, at } = packet;
    if (project === null || turns === 0 || sessionId === "") return [];
    const entries = this.#folds.map(({ task, fold }): LedgerEntry => ({
      kind: "session-facts",
      id: `${source}:${keyOf(sessionId)}:${task.name}`,
      sessionId: sessionId.slice(0, 1000),
      task: task.name,
      program: agent,
      project,
      at,
      turns,
      origin: this.#origin,
      stamp,
      facts: factsText(fold.facts(packet)),
    }));
    return [{ packet, isRewound: this.turns.left.size > 0, entries }];
  }
}
