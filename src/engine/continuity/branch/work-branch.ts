import type { NamedBranch } from "../story/story.ts";
import type { SeenHead } from "./seen-heads.ts";

/** Where a session worked last. */
export interface WorkBranch {
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
