import { storedEffort, type Effort } from "../../effort.ts";
import type { Invocation } from "../invocation.ts";

/** Stored scripts of one command line that are read: a script runs others, and may run itself. */
const maxScripts = 20;
/** Programs that they run, and that rules look at. */
const maxInvocations = 60;

/** Programs that change nothing by themselves: a script has many of them. */
const plain = new Set(
  ": [ [[ basename break cd continue date declare dirname echo exit export false getopts hostname id local ls popd printf pushd pwd read readonly return set shift sleep test true type typeset uname unset wait which".split(
    " ",
  ),
);
/** Programs with the commands that rules most often stop: they come first where a script has more than can be looked at. */
const risky =
  /^(?:rm|rmdir|shred|dd|mkfs.*|find|git|chmod|chown|kill.*|curl|wget|psql|mysql|mongo.*|redis-cli|docker|kubectl|helm|terraform|aws|gcloud|az|gh|npm|ssh|rsync|truncate|sudo)$/u;

/** The stored scripts that one command line runs, and what they run. What is too much there is left out. */
export class StoredScripts {
  readonly effort: Effort = storedEffort();
  readonly #read = new Set<string>();
  readonly #found: Invocation[] = [];

  /** Reads a script once, where there are not too many. */
  read(key: string, read: (effort: Effort) => readonly Invocation[]): void {
    if (this.#read.has(key) || this.#read.size >= maxScripts) return;
    this.#read.add(key);
    const isLookedAt = ({ program, redirections }: Invocation) =>
      !plain.has(program) || redirections.length > 0;
    const found = read(this.effort).filter(isLookedAt);
    this.#found.push(...found.map((each) => ({ ...each, isStored: true as const })));
  }

  get found(): readonly Invocation[] {
    if (this.#found.length <= maxInvocations) return this.#found;
    const isRisky = ({ program }: Invocation) => risky.test(program);
    const [first, rest] = [this.#found.filter(isRisky), this.#found.filter((each) => !isRisky(each))];
    return [...first, ...rest].slice(0, maxInvocations);
  }
}
