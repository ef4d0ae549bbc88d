import { createHash } from "node:crypto";
import * as z from "zod";
import type { PerSession, SessionMemory } from "../base/per-session.ts";

/** More of one session's are not remembered: those told longest ago are forgotten. */
const mostKept = 200;
/** What is longer is remembered by its hash. Characters. */
const longest = 200;

const text = z.string().max(longest);
const told = z.array(z.object({ who: text, what: text })).max(mostKept);

/** Remembers what each in a session was told last, so that it is told once. */
export class OnceTold {
  readonly #told: PerSession<z.infer<typeof told>>;

  /** @param name what it is called where it is written */
  constructor(memory: Pick<SessionMemory, "part">, name: string) {
    this.#told = memory.part(name, { schema: told, empty: [] });
  }

  /** Whether it is another thing than `who` was told before. */
  isNew(session: string, who: string, what: string): boolean {
    const now = { who: shortened(who), what: shortened(what) };
    const held = this.#told.of(session);
    // The one heard of last comes last.
    const others = held.filter((each) => each.who !== now.who);
    this.#told.set(session, [...others, now].slice(-mostKept));
    return !held.some((each) => each.who === now.who && each.what === now.what);
  }
}

function shortened(long: string): string {
  return long.length <= longest ? long : createHash("sha256").update(long).digest("hex");
}
