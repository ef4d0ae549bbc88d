import type { ToldBranch } from "../story/story.ts";
import type { SeenHead } from "./seen-heads.ts";

/** Where a session worked last. */
export interface WorkBranch {
  /** Null where no branch was checked out. */
  readonly branch: string | null;
  /** The commit that was checked out without a branch; null where there was one, or it is not known. */
  readonly commit: string | null;
}

/**
 * Returns where a session worked last, by its transcript and by what was seen at its hooks; null where neither tells.
 * @param isExact whether every row of the transcript names the branch: then it knows better
 */
export function workBranch(
  told: ToldBranch | null,
  seen: SeenHead | null,
  { isExact }: { readonly isExact: boolean },
): WorkBranch | null {
  const isNewer = told !== null && (seen === null || isExact || (told.since ?? -Infinity) > seen.at);
  if (!isNewer) return seen;
  return { branch: told.name, commit: told.name === null && seen?.branch === null ? seen.commit : null };
}
