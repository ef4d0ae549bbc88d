import { sha256Hex } from "../../base/hash.ts";
import { scrubName } from "../../base/scrub.ts";
import { bounds } from "../packet/packet.ts";
import { joinSentences, sentence, type Sentence } from "../../base/language.ts";

export interface GitState {
  /** Null if no branch is checked out. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly commit: string | null;
  /** First line of the last commit's message. */
  readonly subject: string | null;
  /** Uncommitted changes, sorted by path. */
  readonly changes: readonly GitChange[];
  /** Stands for the changes and the files as they are: equal while nothing changed. */
  readonly fingerprint: string;
}

export interface GitChange {
  readonly how: "added" | "changed" | "deleted" | "untracked";
  /** Relative to the repository. */
  readonly path: string;
}

export interface GitPorts {
  /**
   * Runs git with repository settings overridden, so that it starts no other program except filters. Null if
   * it could not run, or not in time.
   */
  readonly git: (
    folder: string,
    args: readonly string[],
    settings?: ReadonlyMap<string, string>,
  ) => Promise<{ readonly code: number; readonly output: string } | null>;
  /** Size and last modification time of a file as one text. Null if unavailable. */
  readonly stampOf: (folder: string, path: string) => Promise<string | null>;
}

/** The empty tree, which git knows without storing it. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/** Maximum changed files that are examined one by one. */
const maxStampedFiles = 500;

/**
 * Reads a folder's git state. Null if it is not in a repository. Git compares a file by content if it was
 * written in the same moment as the index. That would run the filters named in the repository's settings, so
 * they are removed.
 */
export async function readGitState(within: string, ports: GitPorts): Promise<GitState | null> {
  const { git } = ports;
  const top = await git(within, ["rev-parse", "--show-toplevel"]);
  // Git ends the path, which may end with white space itself, with one line break.
  const folder = top?.code === 0 ? top.output.replace(/\r?\n$/u, "") : "";
  if (folder === "") return null;
  const [filters, branch, last] = await Promise.all([
    git(folder, ["config", "--null", "--name-only", "--get-regexp", String.raw`^filter\.`]),
    // The short form is longer if a tag has the same name.
    git(folder, ["symbolic-ref", "--quiet", "HEAD"]),
    git(folder, ["log", "-1", "--no-show-signature", "--no-color", "--format=%H%x00%s"]),
  ]);
  const [commit = "", subject = ""] = last?.code === 0 ? last.output.trimEnd().split("\0") : [];
  const against = commit === "" ? emptyTree : "HEAD";
  const plain = ["--ignore-submodules=all", "--no-renames", "--name-status", "-z"];
  const [staged, edited, untracked] = await Promise.all([
    git(folder, ["diff-index", "--cached", ...plain, against]),
    git(folder, ["diff-files", ...plain], withoutFilters(filters?.output ?? "")),
    git(folder, ["ls-files", "-z", "--others", "--exclude-standard"]),
  ]);
  const changes = new Map<string, GitChange["how"]>();
  for (const listed of [staged, edited])
    for (const { how, path } of changesIn(listed?.output ?? "")) changes.set(path, how);
  for (const path of (untracked?.output ?? "").split("\0")) if (path !== "") changes.set(path, "untracked");
  const sorted = [...changes]
    .map(([path, how]) => ({ path, how }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return {
    branch: branch?.code === 0 ? branchIn(branch.output) : null,
    commit: commit === "" ? null : commit,
    subject: subject === "" ? null : subject,
    changes: sorted,
    fingerprint: await fingerprintOf(folder, sorted, ports),
  };
}

/** A name may end with white space that git does not treat as such. */
function branchIn(output: string): string | null {
  const name = /^refs\/heads\/(?<name>[^\r\n]+)/u.exec(output)?.groups?.["name"];
  return name === undefined ? null : scrubName(name);
}

function withoutFilters(names: string): ReadonlyMap<string, string> {
  const set = names.split("\0").filter((name) => name !== "");
  return new Map(set.map((name) => [name, name.endsWith(".required") ? "false" : ""]));
}

function changesIn(output: string): GitChange[] {
  const words = output.split("\0");
  const changes: GitChange[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [letter, path] = [words[index] ?? "", words[index + 1] ?? ""];
    if (path !== "") changes.push({ path, how: howOf(letter) });
  }
  return changes;
}

function howOf(letter: string): GitChange["how"] {
  if (letter.startsWith("A")) return "added";
  return letter.startsWith("D") ? "deleted" : "changed";
}

async function fingerprintOf(
  folder: string,
  changes: readonly GitChange[],
  { stampOf }: GitPorts,
): Promise<string> {
  const stamped = changes
    .slice(0, maxStampedFiles)
    .map(async ({ path }) => (await stampOf(folder, path)) ?? "");
  const stamps = await Promise.all(stamped);
  const lines = changes.map(({ how, path }, index) => JSON.stringify([how, path, stamps[index] ?? ""]));
  return sha256Hex(lines.join("\n"), 16);
}

interface StampedState {
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
