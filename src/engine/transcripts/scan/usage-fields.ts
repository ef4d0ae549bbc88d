import type { JsonCursor } from "./json-cursor.ts";
import { KeySet } from "./key-set.ts";

const usageKeys = new KeySet([
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "cache_creation",
]);
const breakdownKeys = new KeySet(["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"]);

/** What a counter that the object does not have is held as, and one that is no count of tokens. */
const [absent, wrong] = [-1, -2];

/** The `usage` object of an API response, as it stands in a row. */
export class UsageFields {
  state: ObjectState = "absent";
  #input = absent;
  #output = absent;
  #created = absent;
  #created5m = absent;
  #created1h = absent;
  #read = absent;

  /** Reads the value the cursor stands before. */
  read(cursor: JsonCursor): void {
    this.#input = this.#output = this.#created = this.#read = absent;
    this.#created5m = this.#created1h = absent;
    let isBreakdownWrong = false;
    this.state = stateOfObject(cursor);
    if (this.state !== "present") return;
    cursor.enter();
    for (let name = cursor.member(usageKeys); name !== undefined; name = cursor.member(usageKeys)) {
      switch (name) {
        case "input_tokens":
          this.#input = readCounter(cursor);
          break;
        case "output_tokens":
          this.#output = readCounter(cursor);
          break;
        case "cache_creation_input_tokens":
          this.#created = readCounter(cursor);
          break;
        case "cache_read_input_tokens":
          this.#read = readCounter(cursor);
          break;
        case "cache_creation":
          isBreakdownWrong = this.#readBreakdown(cursor) === "wrong";
      }
    }
    if (isBreakdownWrong || this.#hasWrongCounter()) this.state = "wrong";
  }

  get input(): number {
    return orZero(this.#input);
  }

  get output(): number {
    return orZero(this.#output);
  }

  get cacheRead(): number {
    return orZero(this.#read);
  }

  get cacheCreation1h(): number {
    return Math.min(orZero(this.#created1h), this.#written);
  }

  get cacheCreation5m(): number {
    return this.#written - this.cacheCreation1h;
  }

  /** The total of a cache write is the truth; its breakdown by lifetime is newer, and may be missing or disagree. */
  get #written(): number {
    return this.#created === absent ? orZero(this.#created5m) + orZero(this.#created1h) : this.#created;
  }

  #hasWrongCounter(): boolean {
    return (
      this.#input === wrong ||
      this.#output === wrong ||
      this.#created === wrong ||
      this.#read === wrong ||
      this.#created5m === wrong ||
      this.#created1h === wrong
    );
  }

  #readBreakdown(cursor: JsonCursor): ObjectState {
    this.#created5m = this.#created1h = absent;
    const state = stateOfObject(cursor);
    if (state !== "present") return state;
    cursor.enter();
    for (let name = cursor.member(breakdownKeys); name !== undefined; name = cursor.member(breakdownKeys)) {
      if (name === "ephemeral_5m_input_tokens") this.#created5m = readCounter(cursor);
      else this.#created1h = readCounter(cursor);
    }
    return state;
  }
}

export type ObjectState = "absent" | "present" | "wrong";

/** Whether the next value is an object, null, or something that is neither. Only an object is left to be read. */
export function stateOfObject(cursor: JsonCursor): ObjectState {
  const byte = cursor.peek();
  if (byte === 0x7b) return "present";
  cursor.skip();
  return byte === 0x6e ? "absent" : "wrong";
}

/** A count of tokens, `absent` for null, or `wrong` for what is no whole number from 0 up. */
export function readCounter(cursor: JsonCursor): number {
  const byte = cursor.peek();
  const isNumber = byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
  if (!isNumber) {
    cursor.skip();
    return byte === 0x6e ? absent : wrong;
  }
  const value = cursor.number();
  // Adding 0 makes a negative zero an ordinary one.
  return Number.isSafeInteger(value) && value >= 0 ? value + 0 : wrong;
}

function orZero(counter: number): number {
  return counter < 0 ? 0 : counter;
}
