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

  #object({ members }: ObjectShape): void {
    const cursor = this.#cursor;
    cursor.enter();
    while (cursor.member()) {
      const shape = cursor.find(members);
      if (shape === undefined) cursor.skip();
      else if (shape.kind === "text") this.#text(shape.slot);
      else if (shape.kind === "count") this.#count(shape.slot);
      else this.#other(shape);
    }
  }

  #other(shape: Shape): void {
    const values = this.#values;
    const cursor = this.#cursor;
    const byte = cursor.peek();
    if (shape.kind === "object") {
      values.states.fill(absent, shape.slot, shape.end);
      if (byte === openObject) {
        values.states[shape.slot] = present;
        this.#object(shape);
        return;
      }
      values.states[shape.slot] = byte === letterN ? absent : wrong;
    } else if (shape.kind === "list") {
      values.states[shape.slot] = absent;
      if (byte === openArray) {
        this.#list(shape.slot, shape.prefix);
        return;
      }
    } else if (shape.kind === "mark") values.states[shape.slot] = present;
    else {
      const isFlag = byte === letterT || byte === letterF;
      values.states[shape.slot] = isFlag ? present : byte === letterN ? absent : wrong;
      values.numbers[shape.slot] = Number(byte === letterT);
    }
    cursor.skip();
  }

  #text(slot: number): void {
    const values = this.#values;
    const cursor = this.#cursor;
    const byte = cursor.peek();
    if (byte !== quote) {
      values.states[slot] = byte === letterN ? absent : wrong;
      cursor.skip();
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
      values.states[slot] = byte === letterN ? absent : wrong;
      cursor.skip();
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
