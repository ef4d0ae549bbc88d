import type { Budget } from "../budget.ts";

/** Where a session works. */
export interface Whereabouts {
  readonly sessionId: string;
  /** The branch checked out there; for a subagent in its own worktree, followed by its session's. Null if unknown. */
  readonly branches: readonly (string | null)[];
}

/**
 * Returns the convoy that a session belongs to, or null. A budget that lists the session wins; then one that lists its branch, then
 * one with a matching pattern, the longest first; then one named like the branch: `feature/checkout` belongs to `feature-checkout`. So
 * agents on one branch are a convoy as soon as there is a budget of that name. A budget for `*` gets all the rest, even without a
 * branch.
 */
export function convoyOf(budgets: readonly Budget[], { sessionId, branches }: Whereabouts): string | null {
  const inOrder = budgets.toSorted((one, other) => (one.convoyId < other.convoyId ? -1 : 1));
  const named = inOrder.find(({ members }) => members?.sessions?.includes(sessionId) === true);
  if (named !== undefined) return named.convoyId;
  for (const branch of branches) {
    const found = branch === null ? null : convoyOfBranch(inOrder, branch);
    if (found !== null) return found;
  }
  // Outside of a repository there is no branch; `*` matches that too.
  return inOrder.find(({ members }) => members?.branches?.includes("*") === true)?.convoyId ?? null;
}

function convoyOfBranch(budgets: readonly Budget[], branch: string): string | null {
  const patterns = budgets.flatMap(({ convoyId, members }) =>
    (members?.branches ?? []).map((pattern) => ({ convoyId, pattern })),
  );
  const exact = patterns.find(({ pattern }) => pattern === branch);
  if (exact !== undefined) return exact.convoyId;
  const [longest] = patterns
    .filter(({ pattern }) => fits(branch, pattern))
    .toSorted((one, other) => other.pattern.length - one.pattern.length);
  if (longest !== undefined) return longest.convoyId;
  const id = convoyIdOf(branch);
  return budgets.find(({ convoyId }) => convoyId === id)?.convoyId ?? null;
}

/** Returns the convoy id that corresponds to a branch name. */
export function convoyIdOf(branch: string): string {
  return branch.toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, "-");
}

/** Matches a text against a pattern in which `*` stands for anything. Not a regular expression, since some take for ever. */
function fits(text: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined || !text.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const index = text.indexOf(part, from);
    if (index < 0) return false;
    from = index + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
