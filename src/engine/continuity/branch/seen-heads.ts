import * as z from "zod/mini";
import { scrubName } from "../../base/scrub.ts";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";

const text = z.string().check(z.maxLength(1000));

const seenHead = z.object({
  /** Working folder of the session. */
  folder: text,
  /** Null if no branch was checked out. */
  branch: z.nullable(text),
  /** The commit that was checked out without a branch. */
  commit: z.nullable(text),
  /** When it was last seen so, exact to a minute. Milliseconds since the epoch. */
  at: z.number(),
});
/** The branch or commit that was checked out while a session worked. */
export type SeenHead = Readonly<z.infer<typeof seenHead>>;

const seenState = z.object({ head: z.nullable(seenHead) });

export interface SeenHeadsPorts {
  readonly memory: Pick<SessionMemory, "part">;
  /** Returns the current branch or commit of a folder. Null if unknown. */
  readonly headOf: (folder: string) => Pick<SeenHead, "branch" | "commit"> | null;
}

const withoutKeys = (branch: string | null): string | null => (branch === null ? null : scrubName(branch));

/** A later time alone is stored this often. Milliseconds. */
const exact = 60_000;

/**
 * Remembers which branch or commit was checked out while each session worked. The files of Gemini CLI name no branch, and those of other
 * agents name only the first one.
 */
export class SeenHeads {
  readonly #states: PerSession<z.infer<typeof seenState>>;
  readonly #headOf: SeenHeadsPorts["headOf"];

  constructor({ memory, headOf }: SeenHeadsPorts) {
    this.#states = memory.part("head", { schema: seenState, empty: { head: null } });
    this.#headOf = headOf;
  }

  /** Null if nothing was seen. */
  of(session: string): SeenHead | null {
    return this.#states.of(session).head;
  }

  /** Looks at the repository of a session that works. @param at milliseconds since the epoch */
  look(session: string, folder: string, at: number): void {
    const found = this.#headOf(folder);
    const head =
      z.nullable(seenHead).safeParse(found && { ...found, branch: withoutKeys(found.branch), folder, at })
        .data ?? null;
    if (head === null) return;
    const before = this.of(session);
    const isSame =
      before?.folder === folder && before.branch === head.branch && before.commit === head.commit;
    if (!isSame || Math.abs(at - before.at) >= exact) this.#states.set(session, { head });
  }
}
