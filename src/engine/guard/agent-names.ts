import * as z from "zod";

/** Agents that ended without a word are forgotten when so many others came after them. */
const mostKept = 2000;

const spawn = z.object({ name: z.string().min(1).max(200).optional().catch(undefined) });

/**
 * What subagents are called by those who begin them. A hook inside a subagent tells its id and its type; its name is only in the tool's
 * use that begins it, and `SubagentStart` tells the id right after that.
 */
export class AgentNames {
  /** By session and type, the oldest first: names of agents that are about to begin. */
  readonly #coming = new Map<string, string[]>();
  readonly #names = new Map<string, string>();

  /** An agent of this type is about to begin. @param input the tool's */
  spawning(sessionId: string, type: string, input: unknown): void {
    const name = spawn.safeParse(input).data?.name;
    if (name === undefined) return;
    const key = `${sessionId} ${type}`;
    keep(this.#coming, key, [...(this.#coming.get(key) ?? []), name].slice(-20));
  }

  started(sessionId: string, agentId: string, type: string): void {
    const key = `${sessionId} ${type}`;
    const [name, ...others] = this.#coming.get(key) ?? [];
    if (name === undefined) return;
    if (others.length === 0) this.#coming.delete(key);
    else keep(this.#coming, key, others);
    keep(this.#names, `${sessionId} ${agentId}`, name);
  }

  /** Undefined for one that has no name, or began unseen. Agents of a team have theirs in their id: `backend@fleet`. */
  nameOf(sessionId: string, agentId: string): string | undefined {
    return this.#names.get(`${sessionId} ${agentId}`) ?? /^(?<name>[^@]+)@/u.exec(agentId)?.groups?.["name"];
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostKept && oldest !== undefined) map.delete(oldest);
}
