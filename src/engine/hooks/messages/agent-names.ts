import * as z from "zod/mini";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";

/** Beyond this number of names in a session, the oldest are forgotten. */
const maxNames = 200;
const maxComing = 50;
/** Maximum length of a name, agent type or id. Characters. */
const maxLength = 256;

const word = z.string().check(z.minLength(1), z.maxLength(maxLength));

const sessionNames = z.object({
  /** Names of agents that are about to start, the oldest first. */
  coming: z.array(z.object({ type: word, name: word })).check(z.maxLength(maxComing)),
  agents: z.array(z.object({ id: word, name: word })).check(z.maxLength(maxNames)),
});
type SessionNames = z.infer<typeof sessionNames>;

/**
 * Names that callers give to subagents. A hook inside a subagent reports its id and its type. Its name is
 * only in the tool call that starts it; `SubagentStart` reports the id right after that.
 */
export class AgentNames {
  readonly #names: PerSession<SessionNames>;

  constructor(memory: Pick<SessionMemory, "part">) {
    this.#names = memory.part("agent-names", { schema: sessionNames, empty: { coming: [], agents: [] } });
  }

  spawning(session: string, type: string, name: string | null): void {
    if (name === null || !isWord(name) || !isWord(type)) return;
    const held = this.#names.of(session);
    this.#names.set(session, { ...held, coming: [...held.coming, { type, name }].slice(-maxComing) });
  }

  started(session: string, id: string, type: string): void {
    const held = this.#names.of(session);
    const index = held.coming.findIndex((each) => each.type === type);
    const name = held.coming[index]?.name;
    if (name === undefined || !isWord(id)) return;
    const others = held.agents.filter((each) => each.id !== id);
    this.#names.set(session, {
      coming: held.coming.toSpliced(index, 1),
      agents: [...others, { id, name }].slice(-maxNames),
    });
  }

  /**
   * Undefined for an agent without a name, or one that started unobserved. Team agents have their name in
   * their id: `backend@fleet`.
   */
  nameOf(session: string, agentId: string): string | undefined {
    const known = this.#names.of(session).agents.find(({ id }) => id === agentId)?.name;
    return known ?? /^(?<name>[^@]+)@/u.exec(agentId)?.groups?.["name"];
  }
}

function isWord(text: string): boolean {
  return word.safeParse(text).success;
}
