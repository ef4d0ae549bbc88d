import { decodeText, holdsAt } from "./bytes.ts";
import { JsonCursor } from "./json-cursor.ts";
import { rowShape, type ObjectShape, type Shape } from "./row-shape.ts";
import { absent, present, RowValues, wrong } from "./slot-values.ts";

const [openArray, openObject, quote, minus, zero, nine] = [0x5b, 0x7b, 0x22, 0x2d, 0x30, 0x39];
const [letterF, letterN, letterT] = [0x66, 0x6e, 0x74];

/** Reads the members of a row that its shape names. Of duplicate members the last wins, as in `JSON.parse`. */
export class ShapeReader {
  readonly #values: RowValues;
  readonly #cursor = new JsonCursor();

  /** @param values where to put what is read */
  constructor(values: RowValues) {
    this.#values = values;
  }

  /** Returns whether the line is one whole JSON object, blank, or neither. */
  read(line: Buffer, start: number, end: number): "whole" | "blank" | "broken" {
    const cursor = this.#cursor;
    cursor.reset(line, start, end);
    this.#values.bytes = cursor.bytes;
    this.#values.states.fill(absent);
    const first = cursor.peek();
    if (first === -1) return "blank";
    if (first !== openObject) return "broken";
    this.#object(rowShape);
    return cursor.isValid && cursor.peek() === -1 ? "whole" : "broken";
  }

  #object({ members, others }: ObjectShape): void {
    const cursor = this.#cursor;
    cursor.enter();
    while (cursor.member()) {
      const shape = cursor.find(members);
      if (shape !== undefined) this.#value(shape);
      else {
        if (others !== undefined) this.#values.states[others] = present;
        cursor.skip();
      }
    }
  }

  #value(shape: Shape): void {
    switch (shape.kind) {
      case "text":
        this.#text(shape.slot);
        return;
      case "count":
        this.#count(shape.slot);
        return;
      case "flag":
        this.#flag(shape.slot);
        return;
      case "mark":
        this.#values.states[shape.slot] = present;
        this.#cursor.skip();
        return;
      case "list":
        this.#list(shape.slot, shape.prefix);
        return;
      case "object":
        this.#nested(shape);
    }
  }

  #nested(shape: ObjectShape): void {
    this.#values.states.fill(absent, shape.slot, shape.end);
    if (this.#cursor.peek() !== openObject) this.#skipOther(shape.slot);
    else {
      this.#values.states[shape.slot] = present;
      this.#values.starts[shape.slot] = this.#cursor.at;
      this.#object(shape);
      this.#values.ends[shape.slot] = this.#cursor.at;
    }
  }

  /** Skips a value of another type than the slot's. */
  #skipOther(slot: number): void {
    this.#values.states[slot] = this.#cursor.peek() === letterN ? absent : wrong;
    this.#cursor.skip();
  }

  #flag(slot: number): void {
    const byte = this.#cursor.peek();
    this.#values.numbers[slot] = Number(byte === letterT);
    if (byte !== letterT && byte !== letterF) this.#skipOther(slot);
    else {
      this.#values.states[slot] = present;
      this.#cursor.skip();
    }
  }

  #text(slot: number): void {
    const values = this.#values;
    const cursor = this.#cursor;
    if (cursor.peek() !== quote) {
      this.#skipOther(slot);
      return;
    }
    values.states[slot] = present;
    cursor.string();
    values.starts[slot] = cursor.textStart;
    values.ends[slot] = cursor.textEnd;
    values.escapes[slot] = Number(cursor.isEscaped);
  }

  /** Reads a token count: a whole number from 0 up. */
  #count(slot: number): void {
    const values = this.#values;
    const cursor = this.#cursor;
    const byte = cursor.peek();
    if (byte !== minus && (byte < zero || byte > nine)) {
      this.#skipOther(slot);
      return;
    }
    const value = cursor.number();
    const isRight = isCount(value);
    values.states[slot] = isRight ? present : wrong;
    // Adding 0 makes a negative zero an ordinary one.
    values.numbers[slot] = value + 0;
  }

  #list(slot: number, prefix: Buffer): void {
    const cursor = this.#cursor;
    this.#values.states[slot] = absent;
    if (cursor.peek() !== openArray) {
      cursor.skip();
      return;
    }
    cursor.enterArray();
    while (cursor.element()) {
      if (cursor.peek() !== quote) cursor.skip();
      else {
        cursor.string();
        if (cursor.isValid && this.#beginsWith(prefix)) this.#values.states[slot] = present;
      }
    }
  }

  #beginsWith(prefix: Buffer): boolean {
    const { bytes, textStart, textEnd, isEscaped } = this.#cursor;
    if (isEscaped) return decodeText(bytes, textStart, textEnd, true).startsWith(prefix.toString());
    return textEnd - textStart >= prefix.length && holdsAt(bytes, textStart, prefix);
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
