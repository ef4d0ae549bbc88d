import { decodeText, holdsAt } from "./bytes.ts";
import { JsonCursor } from "./json-cursor.ts";
import { rowShape, type ObjectShape, type Shape } from "./row-shape.ts";
import { RowTemplate, RowTrace, type LeafKind } from "./row-template.ts";
import { absent, present, RowValues, wrong } from "./slot-values.ts";

const [openArray, openObject, quote, minus, zero, nine] = [0x5b, 0x7b, 0x22, 0x2d, 0x30, 0x39];
const [letterF, letterN, letterT] = [0x66, 0x6e, 0x74];

/** Kinds of rows that alternate within a file. */
const mostTemplates = 8;
/** Longer rows are no examples for others. Bytes. */
const longestExample = 1 << 16;
/** Rows that may be read in vain, to learn their form, before one fits. */
const mostCredit = 64;

/**
 * Reads the members of a row that its shape names. Of duplicate members the last wins, as in `JSON.parse`. Nearly all rows
 * have the form of one read before, and are read by its template.
 */
export class ShapeReader {
  readonly values = new RowValues();
  readonly #cursor = new JsonCursor();
  /** The last one to fit is first. */
  readonly #templates: RowTemplate[] = [];
  #trace: RowTrace | null = null;
  #credit = mostCredit;

  /** Returns whether the line is one whole JSON object, blank, or neither. */
  read(line: Buffer, start: number, end: number): "whole" | "blank" | "broken" {
    const cursor = this.#cursor;
    cursor.reset(line, start, end);
    this.values.bytes = cursor.bytes;
    if (this.#hasKnownForm()) {
      if (this.#credit < mostCredit) this.#credit += 1;
      return "whole";
    }
    const outcome = this.#readFreely();
    if (outcome === "whole" && this.#credit > 0 && end - start <= longestExample) this.#learn();
    return outcome;
  }

  #hasKnownForm(): boolean {
    const templates = this.#templates;
    for (let index = 0; index < templates.length; index += 1) {
      const template = templates[index];
      const [first] = templates;
      if (template !== undefined && first !== undefined && this.#fits(template)) {
        templates[index] = first;
        templates[0] = template;
        return true;
      }
    }
    return false;
  }

  /** Reads the row by a template; false when it has another form. */
  #fits({ segments, states, numbers, escapes }: RowTemplate): boolean {
    const { values } = this;
    const cursor = this.#cursor;
    cursor.rewind();
    if (segments[0] === undefined || !cursor.pass(segments[0].literal)) return false;
    values.states.set(states);
    values.numbers.set(numbers);
    values.escapes.set(escapes);
    cursor.rewind();
    for (const { literal, texts, hole } of segments) {
      const start = cursor.at;
      if (!cursor.pass(literal)) return false;
      for (const text of texts) {
        values.starts[text.slot] = start + text.start;
        values.ends[text.slot] = start + text.end;
      }
      if (hole !== null && !this.#fill(hole.kind, hole.slot)) return false;
    }
    return cursor.isAtEnd;
  }

  /** Reads what is in a template's hole; false when it is of another kind. */
  #fill(kind: LeafKind, slot: number): boolean {
    const cursor = this.#cursor;
    if (kind === "any") cursor.skip();
    else if (kind === "text") {
      if (cursor.peek() !== quote) return false;
      this.#string(slot);
    } else {
      const value = cursor.number();
      if (!isCount(value)) return false;
      this.values.numbers[slot] = value + 0;
    }
    return cursor.isValid;
  }

  /** Reads the row again, as an example of those that follow. */
  #learn(): void {
    this.#credit -= 1;
    const cursor = this.#cursor;
    const trace = new RowTrace();
    this.#trace = trace;
    cursor.rewind();
    this.#readFreely();
    this.#trace = null;
    if (trace.hasTwins) return;
    const row = cursor.line;
    if (this.#templates.some((template) => template.widen(row, trace))) return;
    this.#templates.unshift(new RowTemplate(row, trace, this.values));
    if (this.#templates.length > mostTemplates) this.#templates.pop();
  }

  #readFreely(): "whole" | "blank" | "broken" {
    const cursor = this.#cursor;
    cursor.rewind();
    this.values.states.fill(absent);
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
      if (shape === undefined) this.#skip("any", 0);
      else if (shape.kind === "text") this.#text(shape.slot);
      else if (shape.kind === "count") this.#count(shape.slot);
      else this.#other(shape);
    }
  }

  #skip(kind: LeafKind, slot: number): void {
    const start = this.#cursor.at;
    this.#cursor.skip();
    this.#note(kind, slot, start);
  }

  #note(kind: LeafKind, slot: number, from: number): void {
    const { start, at } = this.#cursor;
    this.#trace?.add({ kind, slot, start: from - start, end: at - start });
  }

  #other(shape: Shape): void {
    const { values } = this;
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
        const start = cursor.at;
        this.#list(shape.slot, shape.prefix);
        this.#note("fixed", shape.slot, start);
        return;
      }
    } else if (shape.kind === "mark") {
      values.states[shape.slot] = present;
      this.#skip("any", shape.slot);
      return;
    } else {
      const isFlag = byte === letterT || byte === letterF;
      values.states[shape.slot] = isFlag ? present : byte === letterN ? absent : wrong;
      values.numbers[shape.slot] = Number(byte === letterT);
    }
    this.#skip("fixed", shape.slot);
  }

  #text(slot: number): void {
    const { values } = this;
    const cursor = this.#cursor;
    const byte = cursor.peek();
    if (byte !== quote) {
      values.states[slot] = byte === letterN ? absent : wrong;
      this.#skip("fixed", slot);
      return;
    }
    const start = cursor.at;
    values.states[slot] = present;
    this.#string(slot);
    this.#note("text", slot, start);
  }

  #string(slot: number): void {
    const { values } = this;
    const cursor = this.#cursor;
    cursor.string();
    values.starts[slot] = cursor.textStart;
    values.ends[slot] = cursor.textEnd;
    values.escapes[slot] = Number(cursor.isEscaped);
  }

  /** Reads a token count: a whole number from 0 up. */
  #count(slot: number): void {
    const { values } = this;
    const cursor = this.#cursor;
    const byte = cursor.peek();
    if (byte !== minus && (byte < zero || byte > nine)) {
      values.states[slot] = byte === letterN ? absent : wrong;
      this.#skip("fixed", slot);
      return;
    }
    const start = cursor.at;
    const value = cursor.number();
    const isRight = isCount(value);
    values.states[slot] = isRight ? present : wrong;
    // Adding 0 makes a negative zero an ordinary one.
    values.numbers[slot] = value + 0;
    this.#note(isRight ? "count" : "fixed", slot, start);
  }

  #list(slot: number, prefix: Buffer): void {
    const cursor = this.#cursor;
    cursor.enterArray();
    while (cursor.element()) {
      if (cursor.peek() !== quote) cursor.skip();
      else {
        cursor.string();
        if (cursor.isValid && this.#beginsWith(prefix)) this.values.states[slot] = present;
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
