import { KeyTable } from "../scan/key-table.ts";
import { JsonText } from "./json-text.ts";
import { KeyOrder, type KeyPlace } from "./key-order.ts";
import { Literal } from "../scan/byte-words.ts";

/** A power of two. */
const slots = 32;

/** The last texts at one place of a line: most of them come again, and need not be decoded. */
class KnownNames {
  readonly #written = Array.from({ length: slots }, () => Literal.of(""));
  readonly #names = Array.from({ length: slots }, () => "");

  /** The last string of a text. */
  read(text: JsonText): string {
    const { bytes, textStart, textEnd } = text;
    const slot =
      (textEnd - textStart + 3 * (bytes[textStart] ?? 0) + 5 * (bytes[textEnd - 1] ?? 0)) & (slots - 1);
    const written = this.#written[slot];
    if (written !== undefined && text.isWritten(written)) return this.#names[slot] ?? "";
    this.#written[slot] = new Literal(bytes.subarray(textStart, textEnd));
    return (this.#names[slot] = text.decoded());
  }
}

const [quote, openArray, closeArray, openObject, closeObject] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];

/** Maximum members of a shape. */
const maxMembers = 32;

/**
 * Members to extract from a JSON value of the expected form; a value of any other form is read whole.
 *
 * - `whole`: all of it;
 * - `name`: a text that is often the same in the next line;
 * - `length`: a text, of which only the length is needed, or a list like `list`;
 * - `list`: elements of one shape.
 */
export type Shape =
  | { readonly kind: "whole" }
  | NameShape
  | { readonly kind: "length" | "list"; readonly items: Shape }
  | ObjectShape;

interface NameShape {
  readonly kind: "name";
  readonly known: KnownNames;
  /** A line with any other text is of another kind. */
  readonly allowed: readonly string[] | null;
}

interface ObjectShape {
  readonly kind: "object";
  readonly members: KeyTable<Member>;
  readonly order: KeyOrder<Member>;
  /** Makes an object of the values of all members, undefined for those that are missing. */
  readonly make: Make;
  /** The values of the object being read. It contains no other object of this shape. */
  readonly values: unknown[];
  /** Whether the length of its JSON is needed, too. */
  readonly isMeasured: boolean;
}

type Make = (...values: readonly unknown[]) => Projected;

interface Member {
  readonly index: number;
  readonly shape: Shape;
}

/** The key of an object's length as `JSON.stringify` writes it, where members were left out. */
const jsonLength = Symbol("length as JSON");

/** The length of a projected object as JSON; undefined for any other object. */
export function lengthAsJson(object: Projected): number | undefined {
  return object[jsonLength];
}

export interface Projected {
  readonly [jsonLength]?: number | undefined;
  readonly [key: string]: unknown;
}

export const whole: Shape = { kind: "whole" };

export function name(allowed: readonly string[] | null = null): Shape {
  return { kind: "name", known: new KnownNames(), allowed };
}

export function lengthOr(items: Shape): Shape {
  return { kind: "length", items };
}

export function listOf(items: Shape): Shape {
  return { kind: "list", items };
}

/**
 * @param make makes an object from its members' values, passed as parameters: taking a list apart is slower
 * @param shapes of the members; others are read whole
 */
export function objectOf(
  make: Make,
  shapes: Readonly<Record<string, Shape>> = {},
  isMeasured = false,
): ObjectShape {
  const places = Object.entries(make(...Array.from({ length: maxMembers }, (_, index) => index)));
  const members = places.map(([key, index]): [string, Member] => [
    key,
    { index: Number(index), shape: shapes[key] ?? whole },
  ]);
  const values = members.map(() => undefined);
  const table = new KeyTable(Object.fromEntries(members));
  return { kind: "object", members: table, order: new KeyOrder(table), make, values, isMeasured };
}

/** Reads from lines only the members that a shape names. Other texts and lists are never built. */
export class ProjectedReader {
  readonly #shape: ObjectShape;
  readonly #text = new JsonText();

  constructor(shape: ObjectShape) {
    this.#shape = shape;
  }

  /**
   * Returns the members that the shape names, as `JSON.parse` would. Null for a line of another kind, and for a line
   * that only `JSON.parse` can judge.
   */
  read(line: Buffer): Projected | null {
    const text = this.#text;
    text.reset(line);
    if (text.peek() !== openObject) return null;
    const row = this.#object(this.#shape, null);
    return text.isWhole ? row : null;
  }

  #value(shape: Shape): unknown {
    const text = this.#text;
    const byte = text.peek();
    if (byte === quote) return this.#string(shape);
    if (byte === openObject && shape.kind === "object")
      return shape.isMeasured ? this.#measured(shape) : this.#object(shape, null);
    if (byte === openArray && "items" in shape) return this.#list(shape.items);
    if (byte !== openArray && byte !== openObject) return text.scalar(byte);
    const start = text.at;
    text.skip();
    return text.parsed(start);
  }

  #string(shape: Shape): string {
    const text = this.#text;
    text.string();
    if (!text.isValid) return "";
    if (shape.kind === "length") return textOf(text.units);
    if (shape.kind !== "name") return text.decoded();
    const read = shape.known.read(text);
    if (shape.allowed?.includes(read) === false) text.fail();
    return read;
  }

  #list(items: Shape): unknown[] {
    const text = this.#text;
    const list: unknown[] = [];
    for (let more = text.enter(closeArray); more; more = text.next(closeArray)) list.push(this.#value(items));
    return list;
  }

  #measured(shape: ObjectShape): unknown {
    const text = this.#text;
    const start = text.at;
    text.startMeasuring();
    const object = this.#object(shape, []);
    const length = text.measured(start);
    return length === null ? text.parsed(start) : Object.assign(object, { [jsonLength]: length });
  }

  /** @param keys of the object so far, if it is measured */
  #object({ members, order, make, values }: ObjectShape, keys: number[] | null): Projected {
    const text = this.#text;
    for (let index = 0; index < values.length; index += 1) values[index] = undefined;
    let place: KeyPlace<Member> = order.start;
    for (let more = text.enter(closeObject); more; more = text.next(closeObject)) {
      let member: Member | undefined;
      if (keys === null) {
        place = order.next(place, text);
        ({ member } = place);
      } else {
        text.key(keys);
        member = text.find(members);
      }
      if (member === undefined) text.skip();
      else values[member.index] = this.#value(member.shape);
    }
    return make(...values);
  }
}

/** Longer texts are rare. */
const longText = "-".repeat(16 * 1024);

/** A text of which nothing but its length matters. */
function textOf(units: number): string {
  return units <= longText.length ? longText.slice(0, units) : "-".repeat(units);
}
