import { sentence, type Sentence } from "../../../base/language.ts";

/** Why a commit cannot become a task, or that it did. */
export const historyReasons = [
  "task",
  "known",
  "merge",
  "first",
  "no-tests",
  "only-tests",
  "dependencies",
  "binary",
  "too-large",
  "odd-names",
  "vague",
  "no-test-command",
  "no-packages",
  "no-program",
  "fails-before",
  "passes-before",
  "fails-after",
  "needs-network",
  "slow",
  "flaky",
  "weak-tests",
  "does-not-apply",
] as const;
export type HistoryReason = (typeof historyReasons)[number];

export interface HistoryOutcome {
  readonly commit: string;
  /** The first line of its message: untrusted text. */
  readonly subject: string;
  readonly reason: HistoryReason;
  /** The end of a program's output, or null: untrusted text. */
  readonly output: string | null;
  /** The task's file; null if there is none. */
  readonly file: string | null;
}

const words: Readonly<Record<HistoryReason, Sentence>> = {
  task: sentence("it became a task"),
  known: sentence("there is a task for it already"),
  merge: sentence("it is a merge; its own commits are looked at instead"),
  first: sentence("nothing comes before it"),
  "no-tests": sentence("it changes no test"),
  "only-tests": sentence("it changes only tests or texts"),
  dependencies: sentence("it changes the dependencies, and a run starts with those of before"),
  binary: sentence("it changes a file that is no text"),
  "too-large": sentence("it is too large for one task"),
  "odd-names": sentence("a name of its files, or a link, cannot be in a patch"),
  vague: sentence("neither its message nor the names of its tests say what is asked"),
  "no-test-command": sentence("the project does not say how its tests run; --test gives the command"),
  "no-packages": sentence("the packages of that time cannot be installed"),
  "no-program": sentence("the program that runs its tests is not installed"),
  "fails-before": sentence("its test files fail before it too, for another reason"),
  "passes-before": sentence("its tests pass before it too"),
  "fails-after": sentence("its tests fail after it"),
  "needs-network": sentence("its tests need the network"),
  slow: sentence("its tests take more than three minutes"),
  flaky: sentence("its tests are flaky: they do not end the same way three times"),
  "weak-tests": sentence("its tests pass with wrong solutions too"),
  "does-not-apply": sentence("its change cannot be applied to the project of before"),
};

export function inWordsOf(reason: HistoryReason): Sentence {
  return words[reason];
}
