import { plainSentence } from "../../base/language.ts";
import { errorText, type FileProblem } from "../../base/result.ts";
import path from "node:path";
import { isThere } from "../../base/files.ts";
import { type SessionRoot, type AgentName, agents, type AgentAdapter } from "../../transcripts/agents.ts";

import type { IsAlive, LiveReader, SessionFinder } from "../../transcripts/live-reader.ts";

/** An agent whose sessions are followed. */
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
  /** Agents that could not be loaded. */
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
