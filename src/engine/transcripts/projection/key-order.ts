import { Literal } from "../scan/byte-words.ts";
import type { KeyTable } from "../scan/key-table.ts";
import type { JsonText } from "./json-text.ts";

/** Maximum remembered keys per kind of object, and their maximum length. */
const [maxKeys, maxKeyLength] = [64, 64];

const nothing = Literal.of("");

/** A key, and the key that last followed it. */
export interface KeyPlace<Value> {
  /** From its opening quote up to its colon. */
  readonly written: Literal;
  /** The table's value for it. */
  readonly member: Value | undefined;
  next: KeyPlace<Value> | null;
  other: KeyPlace<Value> | null;
}

/** Remembers the order of keys in objects of one kind: an expected key need not be searched or looked up. */
export class KeyOrder<Value> {
  /** Before the first key. */
  readonly start: KeyPlace<Value> = placeOf<Value>(nothing, undefined);
  readonly #members: KeyTable<Value>;
  readonly #places = new Map<string, KeyPlace<Value>>();

  constructor(members: KeyTable<Value>) {
    this.#members = members;
  }

  /** Moves to the value of the key at the cursor, which follows another key. */
  next(place: KeyPlace<Value>, text: JsonText): KeyPlace<Value> {
    const { next, other } = place;
    if (next !== null && text.take(next.written)) return next;
    if (other !== null && text.take(other.written)) return other;
    const start = text.at;
    text.key(null);
    const member = text.find(this.#members);
    // The line's end shows whether bytes outside ASCII are valid.
    if (!text.isValid || text.isWide || text.at - start > maxKeyLength) return placeOf(nothing, member);
    return this.#note(place, text.bytes.subarray(start, text.at), member);
  }

  #note(before: KeyPlace<Value>, written: Buffer, member: Value | undefined): KeyPlace<Value> {
    const key = written.toString("latin1");
    let place = this.#places.get(key);
    if (place === undefined) {
      place = placeOf(new Literal(written), member);
      if (this.#places.size === maxKeys) return place;
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
