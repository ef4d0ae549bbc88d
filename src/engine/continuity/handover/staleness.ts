import type { GitState } from "./git-state.ts";
import { bounds } from "../packet/packet.ts";
import { joinSentences, sentence, type Sentence } from "../../base/language.ts";

/** The state of the project when a document was made. */
export interface StampedState {
  readonly branch: string | null;
  readonly commit: string | null;
  /** Null if the folder was not in a repository, or had another branch or commit checked out. */
  readonly fingerprint: string | null;
}

/** Lists what changed in the project since a document was made, as clauses. Empty while it is up to date. */
export function changesSince(stamp: StampedState, now: GitState | null): Sentence[] {
  // Without git no change can be detected.
  if (now === null || (stamp.fingerprint === null && !isInRepository(stamp))) return [];
  const changed: Sentence[] = [];
  const isSame = isSameBranch(now.branch, stamp.branch);
  if (!isSame)
    changed.push(sentence("the branch is {0}, it was {1}", branchText(now.branch), branchText(stamp.branch)));
  // Another branch has another last commit, and other changes.
  if (stamp.fingerprint === null && !(isSame && stamp.branch === null)) return changed;
  if (now.commit !== stamp.commit)
    changed.push(
      sentence("the last commit is {0}, it was {1}", shortCommit(now.commit), shortCommit(stamp.commit)),
    );
  else if (stamp.fingerprint !== null && now.fingerprint !== stamp.fingerprint)
    changed.push(sentence("uncommitted files changed"));
  return changed;
}

type Place = Pick<StampedState, "branch" | "commit">;

/** Whether the work is known to have been in a repository. */
export function isInRepository({ branch, commit }: Place): boolean {
  return branch !== null || commit !== null;
}

/** Compares only the first characters of a name, as entries store no more. */
export function isSameBranch(one: string | null, other: string | null): boolean {
  return one?.slice(0, bounds.name) === other?.slice(0, bounds.name);
}

/** Whether the checkout matches the work: the same branch, or the same commit if it had no branch. */
export function isSamePlace(now: Place, work: Place): boolean {
  return isSameBranch(now.branch, work.branch) && (work.branch !== null || now.commit === work.commit);
}

export function branchText(branch: string | null): string {
  return branch ?? "none";
}

/** Characters of a commit's name that people and git read. */
const commitLength = 10;

export function shortCommit(commit: string | null): string {
  return commit === null ? "none" : commit.slice(0, commitLength);
}

const mark = "> **Out of date:**";

/**
 * Marks a document as out of date below its first line, or removes the mark. It changes no other
 * line, also not in a document that a person edited.
 */
export function withStaleness(text: string, changes: readonly Sentence[]): string {
  // Another program may have added lines with other line endings: each keeps its own.
  const lines = text.split("\n");
  const end = lines[0]?.endsWith("\r") === true ? "\r" : "";
  const at = lines.findIndex((line) => line.startsWith(mark));
  // The sentence comes with the empty line above it.
  const isBelowEmpty = lines[at - 1]?.trim() === "";
  if (at !== -1) lines.splice(isBelowEmpty ? at - 1 : at, isBelowEmpty ? 2 : 1);
  if (changes.length > 0)
    lines.splice(
      1,
      0,
      end,
      `${mark} ${joinSentences(changes, "; ").text}. Check what follows against the files.${end}`,
    );
  return lines.join("\n");
}
