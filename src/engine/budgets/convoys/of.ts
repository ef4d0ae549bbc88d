import type { Budget } from "../budget.ts";

/** Where a session works. */
export interface Whereabouts {
  readonly sessionId: string;
  /** The branch that is checked out there; of a subagent in a worktree of its own, then its session's. What is not known is null. */
  readonly branches: readonly (string | null)[];
}

/**
 * The convoy that a session is of; null of none. A budget that names the session wins; then one that names its branch, then one with
 * a pattern for it, the longest first; then one that is called like the branch: `feature/checkout` is of `feature-checkout`. So agents
 * on one branch are a convoy as soon as there is a budget of that name. A budget for `*` has all that is of no other, also where there
 * is no branch.
 */
export function convoyOf(budgets: readonly Budget[], { sessionId, branches }: Whereabouts): string | null {
  const inOrder = budgets.toSorted((one, other) => (one.convoyId < other.convoyId ? -1 : 1));
  const named = inOrder.find(({ members }) => members?.sessions?.includes(sessionId) === true);
  if (named !== undefined) return named.convoyId;
  for (const branch of branches) {
    const found = branch === null ? null : convoyOfBranch(inOrder, branch);
    if (found !== null) return found;
  }
  // Outside of a repository there is no branch, and anything is that too.
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

/** How a convoy is called that is called like a branch. */
export function convoyIdOf(branch: string): string {
  return branch.toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, "-");
}

/** Whether a text is what a pattern says, whose `*` stand for anything. Without a regular expression: some take for ever. */
function fits(text: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined || !text.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
