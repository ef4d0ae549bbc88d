import path from "node:path";
import { placeIn } from "../../guard/work.ts";
import { Checks } from "../story/checks-run.ts";
import { learnedFrom, scoreOf, minScore } from "./conclusion.ts";
import { Counting, summed, type Sum, keyOf, plain, type Fact } from "./fact.ts";
import { extensionOf } from "./sequences.ts";
import type { LearnTask, Seen, SessionFold } from "./task.ts";

/** A convention holds in four of five cases, of this minimum, in more than one session. */
const [minShare, minCases, minSessions] = [0.8, 5, 2];
/** A check's command is the usual one with this minimum share of all runs of such checks. */
const minShareOfChecks = 0.5;

/** A project's habits: its checks, and how its files and commits are named. */
class Habits implements SessionFold {
  readonly #checks = new Checks();
  readonly #counts = new Counting();
  readonly #named = new Set<string>();

  add({ action, turn, root }: Seen): void {
    if (action === null) return;
    this.#checks.add(action, turn);
    if (action.outcome === "failed") return;
    const message = action.line?.commit ?? null;
    if (message !== null) {
      const style = commitStyle(message);
      this.#counts.add(`commit|${style}`, { turn, good: true, text: style });
    }
    if (action.kind !== "edit") return;
    for (const file of action.writes) {
      const place = placeIn(file, root);
      if (place === null || this.#named.has(place) || this.#named.size >= maxNamedFiles) continue;
      this.#named.add(place);
      this.#name(place, turn);
    }
  }

  facts(): Fact[] {
    const checks = this.#checks.usual().map(({ command, kind, turn, times }): Fact => ({
      key: `check ${kind}|${keyOf(command)}`,
      text: plain(command),
      detail: null,
      count: times,
      good: times,
      turns: [turn],
    }));
    return [...checks, ...this.#counts.all()];
  }

  #name(file: string, turn: number): void {
    const extension = extensionOf(file);
    if (extension === "") return;
    const style = nameStyle(path.posix.basename(file));
    if (style !== null) this.#counts.add(`name ${extension}|${style}`, { turn, good: true, text: style });
    const folder = testFolder(file);
    if (folder !== null) this.#counts.add(`tests ${extension}|${folder}`, { turn, good: true, text: folder });
  }
}

/** Maximum files per session with names that are examined. */
const maxNamedFiles = 400;

export const learnConventions: LearnTask = {
  name: "LearnConventions",
  observe: () => new Habits(),
  conclude: (sessions, project) => {
    const groups = new Map<string, Sum[]>();
    for (const sum of summed(sessions)) {
      const group = sum.key.slice(0, sum.key.indexOf("|"));
      groups.set(group, [...(groups.get(group) ?? []), sum]);
    }
    return [...groups]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([group, sums]) => {
        const [usual] = sums.toSorted(
          (a, b) => b.count - a.count || a.age - b.age || (a.key < b.key ? -1 : 1),
        );
        const all = sums.reduce((sum, { count }) => sum + count, 0);
        if (usual === undefined || !isConvention(group, usual, all)) return [];
        const habit = { ...usual, count: all, good: usual.count };
        return [
          learnedFrom("LearnConventions", project, {
            sum: habit,
            subject: group,
            text: describeHabit(group, habit),
            ...(group.startsWith("check ") ? { remedy: usual.text } : {}),
          }),
        ];
      });
  },
};

function isConvention(group: string, usual: Sum, all: number): boolean {
  if (usual.sessions < minSessions || scoreOf(usual) < minScore) return false;
  return group.startsWith("check ")
    ? usual.count >= 3 && usual.count / all >= minShareOfChecks
    : usual.count >= minCases && usual.count / all >= minShare;
}

function describeHabit(group: string, { text, good, count }: Sum): string {
  const [what = "", of = ""] = group.split(" ");
  const counted = `(${good} of ${count})`;
  switch (what) {
    case "check":
      return `${checkWords[of] ?? of} with \`${text}\` ${counted}`;
    case "name":
      return `Files ending in ${of} are named in ${text} ${counted}`;
    case "tests":
      return `Tests ending in ${of} are ${text} ${counted}`;
    default:
      return `Commit messages ${text} ${counted}`;
  }
}

const checkWords: Readonly<Record<string, string>> = {
  test: "Tests are run",
  types: "Types are checked",
  lint: "Style is checked",
  build: "The project is built",
  run: "The project is run",
};

/** Returns how a name's words are joined. Null for a single word, which is the same in any style. */
function nameStyle(file: string): string | null {
  const stem = file.replace(/^[._]+/u, "").replace(/\..*/su, "");
  if (/^[a-z\d]+(?:-[a-z\d]+)+$/u.test(stem)) return "kebab-case";
  if (/^[a-z\d]+(?:_[a-z\d]+)+$/u.test(stem)) return "snake_case";
  if (/^[a-z]+(?:[A-Z][a-z\d]*)+$/u.test(stem)) return "camelCase";
  if (/^(?:[A-Z][a-z\d]+){1,}$/u.test(stem)) return "PascalCase";
  return null;
}

function testFolder(file: string): string | null {
  const base = path.posix.basename(file);
  const folders = file.split("/").slice(0, -1);
  const folder = folders.find((each) => /^(?:tests?|specs?|__tests__)$/iu.test(each));
  const isNamed = /[._-](?:test|spec)s?\.\w+$|^test_|_test\.\w+$|Tests?\.\w+$/u.test(base);
  if (!isNamed) return null;
  return folder === undefined ? "beside the code" : `in ${folder}/`;
}

function commitStyle(message: string): string {
  if (/^[a-z]+(?:\([^)]*\))?!?: \S/u.test(message)) return "begin with a type, such as `feat:`";
  if (/^\[?[A-Z][A-Z\d]+-\d+/u.test(message)) return "begin with a ticket's number";
  if (/^\p{Lu}/u.test(message)) return "begin with a capital letter";
  return /^\p{Ll}/u.test(message) ? "begin with a small letter" : "begin with a sign";
}
