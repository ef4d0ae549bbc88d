import { decodeText } from "../scan/bytes.ts";
import type { JsonCursor } from "../scan/json-cursor.ts";
import { KeyTable } from "../scan/key-table.ts";

/** The part of a JSON value that is stored; the rest is skipped without being built. */
export type Shape = ScalarShape | ListShape | ObjectShape;

interface ScalarShape {
  readonly kind: "scalar";
}

interface ListShape {
  readonly kind: "list";
  readonly items: Shape;
}

interface ObjectShape {
  readonly kind: "object";
  readonly members: KeyTable<{ readonly key: string; readonly shape: Shape }>;
}

/** A stored value. Elements of a list that do not fit its shape are null, so that the others keep their index. */
export type Kept = null | boolean | number | string | Kept[] | KeptObject;

export interface KeptObject {
  [key: string]: Kept;
}

/** Longer texts are cut: enough for ids and for a title. Characters. */
export const maxTextLength = 1000;

const [openArray, openObject, quote, minus] = [0x5b, 0x7b, 0x22, 0x2d];
const [letterF, letterN, letterT] = [0x66, 0x6e, 0x74];

/** A text, number, boolean or null; containers in its place are dropped. */
export const scalar: Shape = { kind: "scalar" };

export function listOf(items: Shape): Shape {
  return { kind: "list", items };
}

export function objectOf(members: Readonly<Record<string, Shape>>): Shape {
  const named = Object.entries(members).map(([key, shape]) => [key, { key, shape }] as const);
  return { kind: "object", members: new KeyTable(Object.fromEntries(named)) };
}

/** Reads the value at the cursor, as far as its shape stores it; undefined if it does not fit. */
export function readKept(cursor: JsonCursor, shape: Shape): Kept | undefined {
  const byte = cursor.peek();
  if (shape.kind === "scalar") return readScalar(cursor, byte);
  if (shape.kind === "list" && byte === openArray) return readList(cursor, shape);
  if (shape.kind === "object" && byte === openObject) return readObject(cursor, shape);
  cursor.skip();
  return undefined;
}

function readList(cursor: JsonCursor, { items }: ListShape): Kept[] {
  const kept: Kept[] = [];
  cursor.enterArray();
  while (cursor.element()) kept.push(readKept(cursor, items) ?? null);
  // A list that grew has room for 16 more; most are short, and there are thousands.
  return [...kept];
}

function readObject(cursor: JsonCursor, { members }: ObjectShape): KeptObject {
  const kept: KeptObject = {};
  cursor.enter();
  while (cursor.member()) {
    const member = cursor.find(members);
    if (member === undefined) {
      cursor.skip();
      continue;
    }
    const value = readKept(cursor, member.shape);
    // Of repeated members the last counts, as in `JSON.parse`.
    if (value === undefined) Reflect.deleteProperty(kept, member.key);
    else kept[member.key] = value;
  }
  return kept;
}

function readScalar(cursor: JsonCursor, byte: number): Kept | undefined {
  if (byte === quote) {
    cursor.string();
    if (!cursor.isValid) return undefined;
    return decodeText(cursor.bytes, cursor.textStart, cursor.textEnd, cursor.isEscaped).slice(
      0,
      maxTextLength,
    );
  }
  if (byte === minus || (byte >= 0x30 && byte <= 0x39)) {
    const number = cursor.number();
    return cursor.isValid ? number : undefined;
  }
  cursor.skip();
  if (byte === letterN) return null;
  if (byte === letterT) return true;
  return byte === letterF ? false : undefined;
}
