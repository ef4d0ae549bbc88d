import * as z from "zod/mini";
import path from "node:path";
import { scrubName } from "../../base/scrub.ts";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";
import type { HookHandler } from "../../hooks/hooks-handler.ts";
import type { NamedBranch } from "../story/story.ts";

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

interface SeenHeadsPorts {
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

/** Hooks of a session that works. At its beginning and its end a person may have checked out another branch. */
const events = ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop"] as const;

interface HeadPorts {
  readonly heads: Pick<SeenHeads, "look">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Records the working branch at each hook of a session's main agent. Adds no text. */
export function headHandler({ heads, now }: HeadPorts): HookHandler<(typeof events)[number]> {
  return {
    name: "head",
    events,
    budget: 10,
    answer: ({ session_id: session, agent_id: agentId, cwd = "" }) => {
      // A subagent may work in another worktree.
      if (agentId === undefined && path.isAbsolute(cwd)) heads.look(session, cwd, now());
      return null;
    },
  };
}

interface WorkBranch {
  /** Null if no branch was checked out. */
  readonly branch: string | null;
  /** Commit that was checked out without a branch. Null if there was a branch, or if it is unknown. */
  readonly commit: string | null;
}

/**
 * Returns where a session worked last, from its transcript and from its hooks. Null if neither has it.
 * @param isExact whether every transcript row names the branch; the transcript then takes precedence
 */
export function workBranch(
  named: NamedBranch | null,
  seen: SeenHead | null,
  { isExact }: { readonly isExact: boolean },
): WorkBranch | null {
  const isNewer = named !== null && (seen === null || isExact || (named.since ?? -Infinity) > seen.at);
  if (!isNewer) return seen;
  return { branch: named.name, commit: named.name === null && seen?.branch === null ? seen.commit : null };
}
