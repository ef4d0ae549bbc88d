import { decodeText } from "../scan/bytes.ts";
import { JsonCursor } from "../scan/json-cursor.ts";
import { KeyTable } from "../scan/key-table.ts";
import { readKept, type Kept, type KeptObject, type Shape } from "./kept-value.ts";

/**
 * Effect of a line: the path at which it changed the state; `ignored` if it changed no stored part; or why it could not
 * be applied: it is wrong itself (`malformed`), or follows an entry of an unknown kind (`lost`).
 */
export type Applied =
  /** `from`: index of the first item of the list there that changed; absent where all of it did. */
  | { readonly changed: readonly Step[]; readonly from?: number }
  | { readonly unknownKind: number }
  | "ignored"
  | "blank"
  | "malformed"
  | "lost";

export type Step = string | number;

const entryKeys = new KeyTable<"kind" | "k" | "v" | "i">({ kind: "kind", k: "k", v: "v", i: "i" });
const [openArray, openObject, quote] = [0x5b, 0x7b, 0x22];

/** Kinds of entries. Source: `objectMutationLog.ts` of VS Code. */
const [whole, set, push, remove] = [0, 1, 2, 3];

/**
 * Replays a log of changes to one JSON object, as VS Code writes it for a chat: a whole state first, then sets, pushes
 * that may cut the list first, and removals. Keeps only the part of the state that the shape names.
 */
export class MutationLog {
  readonly #shape: Shape;
  readonly #cursor = new JsonCursor();
  #state: Kept | undefined;
  /** True after an entry of an unknown kind: its changes are unknown until the next whole state. */
  #isLost = false;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  /** Undefined before the first whole state. */
  get state(): Kept | undefined {
    return this.#state;
  }

  /** Replaces the state by a whole one, from a file without a log. */
  load(bytes: Buffer): Applied {
    const cursor = this.#cursor;
    cursor.reset(bytes, 0, bytes.length);
    skipMark(cursor);
    if (cursor.peek() === -1) return "blank";
    const value = readKept(cursor, this.#shape);
    return cursor.isValid && cursor.peek() === -1 ? this.#replace(value) : "malformed";
  }

  /** @param line without its newline; may be reused afterwards */
  apply(line: Buffer): Applied {
    const cursor = this.#cursor;
    cursor.reset(line, 0, line.length);
    skipMark(cursor);
    const first = cursor.peek();
    if (first === -1) return "blank";
    if (first !== openObject) return "malformed";
    const entry = this.#entry();
    if (entry === undefined) return "malformed";
    if (![whole, set, push, remove].includes(entry.kind)) {
      this.#isLost = true;
      return { unknownKind: entry.kind };
    }
    if (entry.kind === whole) return this.#replace(entry.value);
    return this.#isLost ? "lost" : this.#change(entry);
  }

  #entry(): Entry | undefined {
    const cursor = this.#cursor;
    const entry: Entry = {
      kind: NaN,
      path: undefined,
      shape: undefined,
      value: undefined,
      hasValue: false,
      length: null,
    };
    let valueAt = -1;
    cursor.enter();
    while (cursor.member()) {
      const key = cursor.find(entryKeys);
      if (key === undefined) cursor.skip();
      else if (key === "kind") entry.kind = readNumber(cursor);
      else if (key === "k") entry.path = readPath(cursor);
      else if (key === "i") entry.length = readNumber(cursor);
      else if (entry.kind === whole || entry.path !== undefined) this.#readValue(entry);
      else {
        valueAt = cursor.at;
        cursor.skip();
      }
    }
    if (!cursor.isValid || cursor.peek() !== -1 || Number.isNaN(entry.kind)) return undefined;
    if (valueAt !== -1) {
      cursor.at = valueAt;
      this.#readValue(entry);
    }
    entry.shape ??= this.#shapeOf(entry);
    return entry;
  }

  #readValue(entry: Entry): void {
    entry.shape = this.#shapeOf(entry);
    entry.hasValue = true;
    if (entry.shape === undefined) this.#cursor.skip();
    else entry.value = readKept(this.#cursor, entry.shape);
  }

  #shapeOf({ kind, path }: Entry): Shape | undefined {
    if (kind === whole) return this.#shape;
    return path === undefined ? undefined : shapeAt(this.#shape, path);
  }

  #replace(value: Kept | undefined): Applied {
    if (value === undefined) return "malformed";
    this.#state = value;
    this.#isLost = false;
    return { changed: [] };
  }

  #change(entry: Entry): Applied {
    const { kind, path, shape, value } = entry;
    if (path === undefined) return "malformed";
    const last = path.at(-1);
    if (last === undefined || shape === undefined) return "ignored";
    const holder = holderAt(this.#state, path);
    if (holder === undefined) return "malformed";
    if (kind === push) {
      const from = pushTo(holder, last, entry);
      return from === undefined ? "malformed" : { changed: path, from };
    }
    return setIn(holder, last, kind === set ? value : undefined) ? { changed: path } : "malformed";
  }
}

interface Entry {
  kind: number;
  path: readonly Step[] | undefined;
  /** The value's shape; undefined where no part of it is stored. */
  shape: Shape | undefined;
  value: Kept | undefined;
  hasValue: boolean;
  /** Length to which a list is cut first, or null. */
  length: number | null;
}

function skipMark(cursor: JsonCursor): void {
  if (cursor.bytes[cursor.at] === 0xef && cursor.bytes[cursor.at + 1] === 0xbb) cursor.at += 3;
}

/** Reads a number; NaN for anything else. */
function readNumber(cursor: JsonCursor): number {
  const byte = cursor.peek();
  if (byte >= 0x30 && byte <= 0x39) return cursor.number();
  cursor.skip();
  return NaN;
}

/** Reads a path; undefined for anything else. */
function readPath(cursor: JsonCursor): readonly Step[] | undefined {
  if (cursor.peek() !== openArray) {
    cursor.skip();
    return undefined;
  }
  const path: Step[] = [];
  let isValid = true;
  cursor.enterArray();
  while (cursor.element()) {
    if (cursor.peek() === quote) {
      cursor.string();
      if (cursor.isValid)
        path.push(decodeText(cursor.bytes, cursor.textStart, cursor.textEnd, cursor.isEscaped));
    } else {
      const index = readNumber(cursor);
      if (Number.isSafeInteger(index)) path.push(index);
      else isValid = false;
    }
  }
  return isValid ? path : undefined;
}

/** The shape of the value at a path; undefined where the path leaves the stored part. */
function shapeAt(root: Shape, path: readonly Step[]): Shape | undefined {
  let shape: Shape | undefined = root;
  for (const step of path) {
    if (shape?.kind === "list") shape = typeof step === "number" ? shape.items : undefined;
    else if (shape?.kind === "object")
      shape = typeof step === "string" ? shape.members.findText(step)?.shape : undefined;
    else return undefined;
  }
  return shape;
}

/** The container that holds the path's last step; undefined if there is none. */
function holderAt(state: Kept | undefined, path: readonly Step[]): Kept[] | KeptObject | undefined {
  let value: Kept | undefined = state;
  for (const step of path.slice(0, -1)) value = valueAt(value, step);
  return typeof value === "object" && value !== null ? value : undefined;
}

function valueAt(holder: Kept | undefined, step: Step): Kept | undefined {
  if (Array.isArray(holder)) return typeof step === "number" ? holder[step] : undefined;
  if (typeof holder !== "object" || holder === null || typeof step !== "string") return undefined;
  return Object.hasOwn(holder, step) ? holder[step] : undefined;
}

function setIn(holder: Kept[] | KeptObject, step: Step, value: Kept | undefined): boolean {
  if (Array.isArray(holder)) {
    if (typeof step !== "number" || step > holder.length) return false;
    holder[step] = value ?? null;
  } else if (typeof step !== "string") return false;
  else if (value === undefined) Reflect.deleteProperty(holder, step);
  else holder[step] = value;
  return true;
}

/** Returns the index of the first item pushed; undefined if nothing can be pushed there. */
function pushTo(
  holder: Kept[] | KeptObject,
  step: Step,
  { value, hasValue, length }: Entry,
): number | undefined {
  const held = valueAt(holder, step);
  const list = Array.isArray(held) ? held : [];
  const from = length ?? list.length;
  if (!Number.isSafeInteger(from) || from > list.length) return undefined;
  if (hasValue && !Array.isArray(value)) return undefined;
  list.length = from;
  for (const item of Array.isArray(value) ? value : []) list.push(item);
  return setIn(holder, step, list) ? from : undefined;
}
