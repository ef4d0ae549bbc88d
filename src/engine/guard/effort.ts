/**
 * The work allowed for one call, counted in steps: characters, words and elements. Code takes steps before it works, and skips the work
 * if they are refused. So each call is judged within the same number of steps on every machine.
 */
export class Effort {
  readonly #max: number;
  #taken = 0;
  #isExceeded = false;
  #isSpent = false;

  constructor(max: number) {
    this.#max = max;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Steps that may still be taken. */
  get left(): number {
    return this.#max - this.#taken;
  }

  /** Whether more than a third of the steps are taken. */
  get isThirdTaken(): boolean {
    return this.#taken * 3 > this.#max;
  }

  /** Whether something was skipped: steps were refused, or a bound left something out. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Whether steps were refused: a bound alone, such as a recursion's, leaves out little. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Takes steps. Returns false, and takes none, if fewer are left. A smaller number may still be granted. */
  take(steps: number): boolean {
    const isGranted = this.#taken + steps <= this.#max;
    if (isGranted) this.#taken += steps;
    else this.#isExceeded = this.#isSpent = true;
    return isGranted;
  }

  /** Records that a bound leaves something out. */
  leaveOut(): void {
    this.#isExceeded = true;
  }
}

/** Steps for reading one command line. None of 5,000 everyday and destructive ones takes half of it. */
const readingSteps = 5_900;
/** Steps for reading an oversized line word by word. The user is asked about such a line in any case. */
const wordSteps = 2_500;
/** Steps for testing one set of rules. None of these command lines takes half of it. */
const matchingSteps = 7_000;
/** Additional steps for each rule of the user. Many rules take more time, which is the user's choice. */
const stepsPerOwnRule = 200;
const maxOwnSteps = 100_000;

/** Steps for reading all stored scripts that a command line runs: a script has a page or two. */
const storedSteps = 30_000;

export const storedEffort = (): Effort => new Effort(storedSteps);
export const readingEffort = (): Effort => new Effort(readingSteps);
export const wordsEffort = (): Effort => new Effort(wordSteps);
export const matchingEffort = (): Effort => new Effort(matchingSteps);
export const ownRulesEffort = (rules: number): Effort =>
  new Effort(Math.min(maxOwnSteps, matchingSteps + rules * stepsPerOwnRule));
