import type { RowValues } from "./slot-values.ts";
import { Literal } from "./byte-words.ts";

/**
 * What may be in a value's place in another row for all of the other row to be read alike: another `text`, another
 * `count`, `any` value at all where it is skipped, or, if `fixed`, only the same bytes.
 */
export type LeafKind = "text" | "count" | "any" | "fixed";

/** A value that has no members which are read. */
interface Leaf {
  readonly kind: LeafKind;
  readonly slot: number;
  /** Bounds, counted from the row's start. */
  readonly start: number;
  readonly end: number;
}

/** Bytes that all of a template's rows have in common, and what follows them. */
interface Segment {
  readonly literal: Literal;
  /** Texts within the literal. Their bounds are counted from its start. */
  readonly texts: readonly Omit<Leaf, "kind">[];
  /** Null after the last literal, which ends with the row. */
  readonly hole: Pick<Leaf, "kind" | "slot"> | null;
}

/** A row's leaves, in the row's order. */
export class RowTrace {
  readonly leaves: Leaf[] = [];
  readonly #slots = new Set<number>();
  /** A member appears twice: then the last counts, and a template would have to know which is the last. */
  hasTwins = false;

  add(leaf: Leaf): void {
    this.leaves.push(leaf);
    if (leaf.kind === "any") return;
    if (this.#slots.has(leaf.slot)) this.hasTwins = true;
    this.#slots.add(leaf.slot);
  }
}

/**
 * The form of a row: its bytes, with holes in place of the values in which other rows like it differed. Rows of one form
 * have the same members in the same order. A row that has the form is valid JSON if what is in its holes is, so only
 * the holes are parsed, and the rest is compared.
 */
export class RowTemplate {
  segments: readonly Segment[] = [];
  /** What the row's reading yielded besides texts and what is now in holes. */
  readonly states: Uint8Array;
  readonly numbers: Float64Array;
  readonly escapes: Uint8Array;
  readonly #row: Buffer;
  readonly #leaves: readonly Leaf[];
  readonly #isHole: boolean[];

  constructor(row: Uint8Array, { leaves }: RowTrace, values: RowValues) {
    this.#row = Buffer.from(row);
    this.#leaves = leaves;
    this.#isHole = leaves.map(() => false);
    this.states = values.states.slice();
    this.numbers = values.numbers.slice();
    this.escapes = values.escapes.slice();
    this.#cut();
  }

  /** Makes holes of the values in which this row differs; false when it differs in more than values. */
  widen(row: Buffer, { leaves }: RowTrace): boolean {
    if (leaves.length !== this.#leaves.length) return false;
    const isHole = [...this.#isHole];
    let [from, ownFrom] = [0, 0];
    for (const [index, own] of this.#leaves.entries()) {
      const leaf = leaves[index];
      if (leaf?.kind !== own.kind || leaf.slot !== own.slot) return false;
      if (row.compare(this.#row, ownFrom, own.start, from, leaf.start) !== 0) return false;
      const isOther = row.compare(this.#row, own.start, own.end, leaf.start, leaf.end) !== 0;
      if (isOther && own.kind === "fixed") return false;
      if (isOther) isHole[index] = true;
      [from, ownFrom] = [leaf.end, own.end];
    }
    if (row.compare(this.#row, ownFrom, this.#row.length, from) !== 0) return false;
    this.#isHole.splice(0, isHole.length, ...isHole);
    this.#cut();
    return true;
  }

  #cut(): void {
    const segments: Segment[] = [];
    let start = 0;
    let texts: Leaf[] = [];
    const add = (end: number, hole: Segment["hole"]) => {
      const from = start;
      // The quotes are no part of a text.
      const within = texts.map((text) => ({
        slot: text.slot,
        start: text.start + 1 - from,
        end: text.end - 1 - from,
      }));
      segments.push({ literal: new Literal(this.#row.subarray(start, end)), texts: within, hole });
      texts = [];
    };
    for (const [index, leaf] of this.#leaves.entries()) {
      if (this.#isHole[index] === true) {
        add(leaf.start, leaf);
        start = leaf.end;
      } else if (leaf.kind === "text") texts.push(leaf);
    }
    add(this.#row.length, null);
    this.segments = segments;
  }
}
