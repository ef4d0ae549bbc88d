import { plainSentence } from "../../base/language.ts";
import { errorText, type FileProblem } from "../../base/result.ts";
import path from "node:path";
import { isThere } from "../../base/files.ts";
import { type SessionRoot, type AgentName, agents, type AgentAdapter } from "../../transcripts/agents.ts";
import type {
  IsAlive,
  LiveReader,
  SessionFinder,
  FollowedSession,
  SessionFile,
} from "../../transcripts/live-reader.ts";

export interface LiveAgent {
  readonly name: AgentName;
  readonly roots: readonly string[];
  readonly reader: LiveReader;
  readonly finder: SessionFinder;
}

type FollowedAgent = AgentAdapter & { readonly name: AgentName };

/** Loads the readers of agents with a folder on this machine. */
export class LiveAgents {
  readonly roots: readonly SessionRoot[];
  readonly loaded: LiveAgent[] = [];
  readonly problems = new Map<AgentName, FileProblem>();
  readonly #isAlive: IsAlive;
  readonly #loading = new Map<AgentName, Promise<void>>();

  constructor(roots: readonly SessionRoot[], isAlive: IsAlive) {
    this.roots = roots;
    this.#isAlive = isAlive;
  }

  /** Loads the agents with a root that exists now. Undefined when there is nothing to load. */
  load(): Promise<void> | undefined {
    return this.#loadThose((roots) => roots.some(isThere));
  }

  /** Loads the agent with this path below one of its roots. Undefined when there is nothing to load. */
  loadFor(file: string): Promise<void> | undefined {
    return this.#loadThose((roots) => rootOf(file, roots) !== null);
  }
  /** Returns the agent with this path below one of its roots; undefined before it is loaded. */
  agentOf(file: string): LiveAgent | undefined {
    return this.loaded.find(({ roots }) => rootOf(file, roots) !== null);
  }

  #loadThose(areWanted: (roots: readonly string[]) => boolean): Promise<void> | undefined {
    const missing = agents.filter(({ name }) => !this.#isLoaded(name) && areWanted(this.#rootsOf(name)));
    if (missing.length === 0) return undefined;
    return Promise.all(missing.map((agent) => this.#loadOnce(agent))).then(() => undefined);
  }

  #loadOnce(agent: FollowedAgent): Promise<void> {
    const held = this.#loading.get(agent.name) ?? this.#load(agent);
    this.#loading.set(agent.name, held);
    return held;
  }

  /** Records an agent that cannot be loaded; the next call tries again. */
  async #load({ name, liveReader }: FollowedAgent): Promise<void> {
    const roots = this.#rootsOf(name);
    try {
      const reader = await liveReader();
      this.loaded.push({ name, roots, reader, finder: reader.finder(roots, this.#isAlive) });
      this.problems.delete(name);
    } catch (error) {
      this.problems.set(name, { path: roots[0] ?? name, reason: plainSentence(errorText(error)) });
    } finally {
      this.#loading.delete(name);
    }
  }

  #isLoaded(agent: AgentName): boolean {
    return this.loaded.some(({ name }) => name === agent);
  }

  #rootsOf(name: AgentName): string[] {
    return this.roots.flatMap(({ agent, path: root }) => (agent === name ? [root] : []));
  }
}

/** Returns the root that the path is below, or null. */
export function rootOf(file: string, roots: readonly string[]): string | null {
  return roots.find((root) => file.startsWith(root + path.sep)) ?? null;
}

/** A session with all of its files, its main file first. */
export interface RecentSession extends FollowedSession {
  readonly agent: LiveAgent;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Older sessions are history and not followed. Milliseconds. */
export const maxAge = 7 * 24 * 60 * 60_000;
const maxSessions = 40;

/**
 * Returns the sessions to follow: those with a process, and the latest of the last week. Most recently changed first. A
 * session in two agents' folders belongs to the first agent.
 */
export function pickRecent(
  found: readonly AgentFiles[],
  { now, running }: { now: number; running: ReadonlySet<string> },
): RecentSession[] {
  const bySession = new Map<string, { agent: LiveAgent; files: SessionFile[] }>();
  for (const { agent, files } of found)
    for (const file of files) {
      const held = bySession.get(file.sessionId);
      if (held === undefined) bySession.set(file.sessionId, { agent, files: [file] });
      else if (held.agent === agent) held.files.push(file);
    }
  return Array.from(bySession, ([id, { agent, files }]) => ({
    id,
    agent,
    files: files.toSorted((a, b) => Number(a.agentId !== null) - Number(b.agentId !== null)),
    changedAt: Math.max(...files.map(({ mtimeMs }) => mtimeMs)),
  }))
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .filter(
      ({ id, changedAt }, index) => running.has(id) || (index < maxSessions && now - changedAt < maxAge),
    );
}

export interface AgentFiles {
  readonly agent: LiveAgent;
  readonly files: readonly SessionFile[];
}
