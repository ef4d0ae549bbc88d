import { textAt, type RowObject } from "../row-fields.ts";

/** Rows at the end of a turn to which a later prompt may be attached: notes and hooks' rows follow the last answer. */
const mostEnds = 16;
/** Beyond this number of turns, a person is not expected to go back to the oldest. */
const mostTurns = 1000;

/**
 * Knows from the parents of a transcript's prompts when a person has gone back. Claude Code writes nothing of it: the next
 * prompt has as its parent a row of an earlier turn, or none. Where a parent is not known, nothing is taken as left.
 */
export class PromptParents {
  /** Ids of the last rows of each turn that is still part of the conversation. */
  #turns: string[][] = [];
  /** Whether rows name their parents: some programs that write such files name none. */
  #areParentsTold = false;

  /** Notes a row that is no prompt. */
  row(row: RowObject): void {
    this.#areParentsTold ||= typeof row["parentUuid"] === "string";
    const id = textAt(row, "uuid");
    const turn = this.#turns.at(-1);
    if (id === null || turn === undefined) return;
    turn.push(id);
    if (turn.length > mostEnds) turn.shift();
  }

  /** Notes a prompt. Returns how many earlier prompts it leaves behind. */
  prompt(row: RowObject): number {
    const left = this.#left(row["parentUuid"]);
    if (left > 0) this.#turns.splice(-left);
    const id = textAt(row, "uuid");
    this.#turns.push(id === null ? [] : [id]);
    if (this.#turns.length > mostTurns) this.#turns.shift();
    return left;
  }

  #left(parent: unknown): number {
    // A prompt without a parent begins the conversation again.
    if (parent === null) return this.#areParentsTold ? this.#turns.length : 0;
    if (typeof parent !== "string") return 0;
    const turn = this.#turns.findLastIndex((ends) => ends.includes(parent));
    return turn === -1 ? 0 : this.#turns.length - 1 - turn;
  }
}
