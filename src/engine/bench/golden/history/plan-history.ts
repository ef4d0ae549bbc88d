import { createTwoFilesPatch } from "diff";
import { lockKey } from "../../fixture/lock-key.ts";
import { succeed, type Result } from "../../../base/result.ts";
import { commitsOfMerge, git, readCommits, type GitPorts, type HistoryCommit } from "./commits.ts";
import { roleOf } from "./file-roles.ts";
import type { HistoryOutcome, HistoryReason } from "./history-outcome.ts";

export interface HistoryPlan {
  /** Commits to try, the newest first. */
  readonly candidates: readonly HistoryCommit[];
  /** Commits that cannot become tasks, whatever their tests do. */
  readonly excluded: readonly HistoryOutcome[];
}

/** Commits that are looked at for each wanted task: most change no test. */
const lookedAtPerTask = 300;
/** Commits whose tests are run for each wanted task, at most. */
const triedPerTask = 10;
const maxWorkFiles = 20;
const maxWorkLines = 800;
const maxTestFiles = 40;
const maxTestLines = 3000;

/**
 * Chooses the commits that may become tasks, by what they change. Runs no program but git.
 * @param known commits that a task begins at already
 */
export async function planHistory(
  { wanted, known }: { readonly wanted: number; readonly known: ReadonlySet<string> },
  ports: GitPorts,
): Promise<Result<HistoryPlan, "no_git" | "git_failed" | "cancelled">> {
  const commits = await readCommits(wanted * lookedAtPerTask, ports);
  if (!commits.ok) return commits;
  const candidates: HistoryCommit[] = [];
  const excluded: HistoryOutcome[] = [];
  const byId = new Map(commits.value.map((each) => [each.commit, each]));
  for (const each of commits.value) {
    if (candidates.length >= wanted * triedPerTask) break;
    const commit = each.parents.length === 2 ? await asOneChange(each, byId, ports) : each;
    const reason = known.has(commit.parents[0] ?? "")
      ? "known"
      : (excludedBy(commit) ?? (await dependenciesOf(commit, ports)));
    if (reason === null) candidates.push(commit);
    else excluded.push({ ...namedCommit(commit), reason, output: null, file: null });
  }
  return succeed({ candidates, excluded });
}

/**
 * Takes a merge for one change if each of its commits alone is no task: many change the code first, and the tests later. Its message is
 * that of the merge, without its first line, and those of its commits.
 * @returns the merge as it is, if its commits are looked at instead
 */
async function asOneChange(
  merge: HistoryCommit,
  byId: ReadonlyMap<string, HistoryCommit>,
  ports: GitPorts,
): Promise<HistoryCommit> {
  const [base = ""] = merge.parents;
  if (base === "" || excludedBy({ ...merge, parents: [base] }) !== null) return merge;
  const own = (await commitsOfMerge(merge, ports)).flatMap((id) => byId.get(id) ?? []);
  if (own.length === 0 || own.some((each) => excludedBy(each) === null)) return merge;
  const [first = "", ...rest] = merge.message.split("\n");
  const [number = ""] = /#\d{1,9}\b/u.exec(first) ?? [];
  const [subject = "", ...more] = [rest.join("\n").trim(), ...own.map(({ message }) => message)]
    .filter((message) => message !== "")
    .join("\n")
    .split("\n");
  return { ...merge, parents: [base], message: [`${subject} ${number}`.trim(), "", ...more].join("\n") };
}

export function namedCommit({ commit, message }: HistoryCommit): Pick<HistoryOutcome, "commit" | "subject"> {
  return { commit, subject: message.split("\n", 1)[0] ?? "" };
}

/** Characters that a patch or a file name on another system cannot have. */
const odd = /[\u0000-\u001f"\\:<>|?*\u007f]|(?:^|\/)(?:\.git|node_modules|\.purser-check)(?:\/|$)/iu;

function excludedBy({ parents, files }: HistoryCommit): HistoryReason | null {
  if (parents.length === 0) return "first";
  if (parents.length > 1) return "merge";
  const roles = files.map(({ path, lines }) => ({ role: roleOf(path), path, lines }));
  const tests = roles.filter(({ role }) => role === "test" || role === "support");
  const work = roles.filter(({ role }) => role === "work");
  if (!tests.some(({ role }) => role === "test")) return "no-tests";
  if (work.length === 0) return "only-tests";
  const used = [...tests, ...work];
  if (used.some(({ path }) => odd.test(path))) return "odd-names";
  if (used.some(({ lines }) => lines === null)) return "binary";
  const sum = (some: typeof roles) => some.reduce((lines, each) => lines + (each.lines ?? 0), 0);
  const isLarge = work.length > maxWorkFiles || sum(work) > maxWorkLines;
  return isLarge || tests.length > maxTestFiles || sum(tests) > maxTestLines ? "too-large" : null;
}

const manifestNames = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg))$/u;
const requirement = /^[+-].*(?:requires|dependencies)/mu;

/** A new version of the project itself, or of a script, changes no dependency. */
async function dependenciesOf(
  { commit, parents, files }: HistoryCommit,
  ports: GitPorts,
): Promise<HistoryReason | null> {
  const [base = ""] = parents;
  if (files.some(({ path }) => roleOf(path) === "dependencies" && !/lock/u.test(path))) return "dependencies";
  for (const file of files.map(({ path }) => path).filter((path) => manifestNames.test(path))) {
    const [before, after] = [
      await git(["show", `${base}:./${file}`], ports),
      await git(["show", `${commit}:./${file}`], ports),
    ];
    if (!before.ok || !after.ok) return "dependencies";
    const isSame = file.endsWith(".json")
      ? lockKey(before.value) === lockKey(after.value)
      : !requirement.test(createTwoFilesPatch("a", "b", before.value, after.value, "", "", { context: 0 }));
    if (!isSame) return "dependencies";
  }
  return null;
}
