import * as z from "zod";
import type { PerSession, SessionMemory } from "../base/per-session.ts";

/** Beyond this number the oldest of a session may be told again. */
const mostTold = 200;
const longestKey = 300;

const told = z.object({ keys: z.array(z.string().max(longestKey)).max(mostTold) });

/** The advice that sessions have had, by rule and matter: no session is told the same twice, whichever guard finds it. */
export class ToldBefore {
  readonly #sessions: PerSession<z.infer<typeof told>>;

  constructor(memory: Pick<SessionMemory, "part">) {
    this.#sessions = memory.part("guard-told", { schema: told, empty: { keys: [] } });
  }

  /** @param about tells matters of one rule apart; without, the rule is told once */
  has(session: string, rule: string, about?: string): boolean {
    return this.#sessions.of(session).keys.includes(keyOf(rule, about));
  }

  add(session: string, all: readonly { readonly rule: string; readonly about?: string | undefined }[]): void {
    if (all.length === 0) return;
    const keys = new Set(this.#sessions.of(session).keys);
    for (const { rule, about } of all) keys.add(keyOf(rule, about));
    this.#sessions.set(session, { keys: [...keys].slice(-mostTold) });
  }
}

function keyOf(rule: string, about = ""): string {
  return `${rule}:${about}`.slice(0, longestKey);
}
