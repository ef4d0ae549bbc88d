import type { AgentName } from "../../transcripts/agents.ts";
import type { PastFile } from "../../transcripts/past.ts";
import { FollowedStory, type StoryPorts } from "./followed.ts";
import type { Story } from "./story.ts";

export interface FoundSession {
  readonly agent: AgentName;
  /** Its own file first, then its subagents' files as they appear. */
  readonly files: () => readonly Pick<PastFile, "path" | "rows">[];
}

export interface SessionStory {
  readonly agent: AgentName;
  readonly story: Story;
  /** Whether a person went back and abandoned a part of it. */
  readonly isRewound: boolean;
}

export interface StoriesPorts extends StoryPorts {
  /** Returns null for an unknown session, or one of an agent that stores no past. */
  readonly find: (sessionId: string) => Promise<FoundSession | null>;
}

interface Held {
  readonly agent: AgentName;
  readonly followed: FollowedStory;
}

/** Maximum stories in memory, the most recently requested first. Some 100 kB each. */
const maxHeld = 12;

/** Stories of sessions. Each is read once, then followed while it is requested. */
export class SessionStories {
  readonly #ports: StoriesPorts;
  readonly #held = new Map<string, Promise<Held | null>>();

  constructor(ports: StoriesPorts) {
    this.#ports = ports;
  }

  async of(sessionId: string): Promise<SessionStory | null> {
    const finding = this.#held.get(sessionId) ?? this.#find(sessionId);
    this.#held.delete(sessionId);
    this.#held.set(sessionId, finding);
    const [oldest] = this.#held.keys();
    if (this.#held.size > maxHeld && oldest !== undefined) this.#held.delete(oldest);
    const held = await finding;
    if (held !== null) {
      const story = await held.followed.now();
      return { agent: held.agent, story, isRewound: held.followed.isRewound };
    }
    // It may be found later, once it has started to write.
    if (this.#held.get(sessionId) === finding) this.#held.delete(sessionId);
    return null;
  }

  async #find(sessionId: string): Promise<Held | null> {
    const found = await this.#ports.find(sessionId);
    return found === null
      ? null
      : { agent: found.agent, followed: new FollowedStory(found.files, this.#ports) };
  }
}
