/**
 * The work that may be done on one call, counted in steps: characters, words and elements that are handled. Whoever is about to do more
 * takes the steps first, and goes without where they are refused, so that a call is judged within the same number of steps on every
 * machine, whatever it is.
 */
export class Effort {
  readonly #most: number;
  #taken = 0;
  #isExceeded = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Steps taken; never more than there are. */
  get taken(): number {
    return this.#taken;
  }

  /** Steps that may still be taken. */
  get left(): number {
    return this.#most - this.#taken;
  }

  /** Whether something was not looked at: steps have been refused, or a bound left something out. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Takes steps; returns false where there are fewer left, which refuses them. Smaller parts may still be granted. */
  take(steps: number): boolean {
    const isGranted = this.#taken + steps <= this.#most;
    if (isGranted) this.#taken += steps;
    else this.#isExceeded = true;
    return isGranted;
  }

  /** Records that a bound leaves something out. */
  leaveOut(): void {
    this.#isExceeded = true;
  }
}

/** Steps for reading one command line; of 5,000 everyday and destructive ones none takes a half. */
const readingSteps = 5_900;
/** Steps for reading by its words what was too much to be read as a shell does: it is asked about in any case. */
const wordSteps = 2_500;
/** Steps for testing one set of rules; of those command lines none takes a half. */
const matchingSteps = 7_000;
/** Steps more for each rule that a user has added: many rules need more time, which is the user's choice. */
const stepsPerOwnRule = 200;
const maxOwnSteps = 100_000;

/** Steps for reading all stored scripts that a command line runs: several times a line, as a script is a page or two. */
const storedSteps = 30_000;

export const storedEffort = (): Effort => new Effort(storedSteps);
export const readingEffort = (): Effort => new Effort(readingSteps);
export const wordsEffort = (): Effort => new Effort(wordSteps);
export const matchingEffort = (): Effort => new Effort(matchingSteps);
export const ownRulesEffort = (rules: number): Effort =>
  new Effort(Math.min(maxOwnSteps, matchingSteps + rules * stepsPerOwnRule));
