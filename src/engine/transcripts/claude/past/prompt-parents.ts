import { textAt, type RowObject } from "../message-parts.ts";

/**
 * Maximum rows remembered per turn. A later prompt may follow any of them: notes and hooks' rows come after the last
 * answer.
 */
const maxEnds = 16;
/** Maximum turns remembered: a person is not expected to go back further. */
const maxTurns = 1000;

/**
 * Finds out from the prompts' parents when a person has gone back. Claude Code writes no row about it: the next
 * prompt's parent is a row of an earlier turn, or null. An unknown parent counts as no going back.
 */
export class PromptParents {
  /** Ids of the last rows of each turn that is still part of the conversation. */
  #turns: string[][] = [];
  /** Whether rows name their parents: some programs that write such files omit them. */
  #haveParents = false;

  /** Handles a row that is not a prompt. */
  row(row: RowObject): void {
    this.#haveParents ||= typeof row["parentUuid"] === "string";
    const id = textAt(row, "uuid");
    const turn = this.#turns.at(-1);
    if (id === null || turn === undefined) return;
    turn.push(id);
    if (turn.length > maxEnds) turn.shift();
  }

  /** Handles a prompt. Returns how many earlier prompts it takes back. */
  prompt(row: RowObject): number {
    const left = this.#left(row["parentUuid"]);
    if (left > 0) this.#turns.splice(-left);
    const id = textAt(row, "uuid");
    this.#turns.push(id === null ? [] : [id]);
    if (this.#turns.length > maxTurns) this.#turns.shift();
    return left;
  }

  #left(parent: unknown): number {
    // A prompt without a parent begins the conversation again.
    if (parent === null) return this.#haveParents ? this.#turns.length : 0;
    if (typeof parent !== "string") return 0;
    const turn = this.#turns.findLastIndex((ends) => ends.includes(parent));
    return turn === -1 ? 0 : this.#turns.length - 1 - turn;
  }
}
