import { Literal } from "../scan/byte-words.ts";
import type { KeyTable } from "../scan/key-table.ts";
import type { JsonText } from "./json-text.ts";

/** The most keys remembered of one kind of object, and their longest. */
const [mostKeys, longestKey] = [64, 64];

const nothing = Literal.of("");

/** A key, and those that came after it last. */
export interface KeyPlace<Value> {
  /** From its opening quote up to its colon. */
  readonly written: Literal;
  /** What the table has for it. */
  readonly member: Value | undefined;
  next: KeyPlace<Value> | null;
  other: KeyPlace<Value> | null;
}

/** Remembers in which order objects of one kind have their keys: an expected key need not be searched or looked up. */
export class KeyOrder<Value> {
  /** Before the first key. */
  readonly start: KeyPlace<Value> = placeOf<Value>(nothing, undefined);
  readonly #members: KeyTable<Value>;
  readonly #places = new Map<string, KeyPlace<Value>>();

  constructor(members: KeyTable<Value>) {
    this.#members = members;
  }

  /** Moves to the value of the key at the cursor, which comes after another one. */
  next(place: KeyPlace<Value>, text: JsonText): KeyPlace<Value> {
    const { next, other } = place;
    if (next !== null && text.take(next.written)) return next;
    if (other !== null && text.take(other.written)) return other;
    const start = text.at;
    text.key(null);
    const member = text.find(this.#members);
    // Whether bytes beyond ASCII are valid shows at the line's end.
    if (!text.isValid || text.isWide || text.at - start > longestKey) return placeOf(nothing, member);
    return this.#note(place, text.bytes.subarray(start, text.at), member);
  }

  #note(before: KeyPlace<Value>, written: Buffer, member: Value | undefined): KeyPlace<Value> {
    const key = written.toString("latin1");
    let place = this.#places.get(key);
    if (place === undefined) {
      place = placeOf(new Literal(written), member);
      if (this.#places.size === mostKeys) return place;
      this.#places.set(key, place);
    }
    before.other = before.next;
    before.next = place;
    return place;
  }
}

function placeOf<Value>(written: Literal, member: Value | undefined): KeyPlace<Value> {
  return { written, member, next: null, other: null };
}
