import { kindOf, leftOutNotice } from "./marks.ts";
import { farFactor, maxShare, rareShare } from "./outliers.ts";

/** A value as it was written: a scalar's text, a list, or an object's names and values. */
type Value =
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "object"; readonly names: readonly string[]; readonly values: readonly Value[] };

/** Maximum depth of values. A deeper text stays unchanged. */
const maxDepth = 60;
/** Minimum number of objects whose names are written once. */
const minRows = 3;
/** Maximum number of names in a table, in relation to those of a mean object with at least some names. */
const [maxNames, minNames] = [1.6, 5];
/** Minimum number of lines that are JSON each. */
const minLines = 5;

const names = kindOf("json", "repeated name");
/** Explains a table. Every value stays as it was written, and an empty place is a name that the object lacks. */
const explanation = "(a,b,c=1)[[2,3]] stands for [{a:2,b:3,c:1}]; objects unlike the others are written out";
/** Minimum number of objects that show what is usual. */
const minUsual = 10;

/**
 * Writes JSON without white space between values and with the names of similar objects once. No value is lost, and
 * numbers and texts stay as they were written. Null if the text is no JSON or too deep.
 */
export function compactJson(text: string): string | null {
  const value = readJson(text);
  return value === null ? null : written(value, text);
}

/** Writes objects, one on each line, as one list. Null if a line is something else. */
export function compactJsonLines(text: string): string | null {
  const value = text.trimStart().startsWith("{") ? readLines(text) : null;
  return value === null ? null : written(value, text);
}

function written(value: Value, original: string): string {
  // Objects that are written out look as they did, so that a search finds them.
  const writer = new Writer(/": /u.test(original) ? ": " : ":");
  const text = writer.write(value);
  if (!writer.hasTable) return text;
  return `${leftOutNotice(new Map([[names, Math.max(1, writer.leftOut)]]))} ${explanation}\n${text}`;
}

function readJson(text: string): Value | null {
  if (!/^\s*[[{]/u.test(text)) return null;
  const reader = new Reader(text);
  const value = reader.value(0);
  return value !== null && reader.isAtEnd() ? value : null;
}

/** Objects, one on each line, as a list. */
function readLines(text: string): Value | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < minLines) return null;
  const items: Value[] = [];
  for (const line of lines) {
    const value = line.trimStart().startsWith("{") ? readJson(line) : null;
    if (value === null) return null;
    items.push(value);
  }
  return { kind: "list", items };
}

/** Reads JSON without changing the text of any value. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#text.length;
  }

  /** Null where the text is no JSON. */
  value(depth: number): Value | null {
    if (depth > maxDepth) return null;
    this.#skipSpace();
    const sign = this.#text.charCodeAt(this.#at);
    if (sign === 91) return this.#list(depth);
    if (sign === 123) return this.#object(depth);
    const text = sign === 34 ? this.#string() : this.#plain();
    return text === null ? null : { kind: "scalar", text };
  }

  #list(depth: number): Value | null {
    const items: Value[] = [];
    this.#at += 1;
    if (this.#takes("]")) return { kind: "list", items };
    for (;;) {
      const item = this.value(depth + 1);
      if (item === null) return null;
      items.push(item);
      if (this.#takes("]")) return { kind: "list", items };
      if (!this.#takes(",")) return null;
    }
  }

  #object(depth: number): Value | null {
    const [objectNames, values]: [string[], Value[]] = [[], []];
    this.#at += 1;
    if (this.#takes("}")) return { kind: "object", names: objectNames, values };
    for (;;) {
      this.#skipSpace();
      const name = this.#text.charCodeAt(this.#at) === 34 ? this.#string() : null;
      if (name === null || !this.#takes(":")) return null;
      const value = this.value(depth + 1);
      if (value === null) return null;
      objectNames.push(name);
      values.push(value);
      if (this.#takes("}")) return { kind: "object", names: objectNames, values };
      if (!this.#takes(",")) return null;
    }
  }

  #string(): string | null {
    const from = this.#at;
    for (let end = this.#text.indexOf('"', from + 1); end !== -1; end = this.#text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (this.#text.charCodeAt(end - 1 - slashes) === 92) slashes += 1;
      if (slashes % 2 === 1) continue;
      this.#at = end + 1;
      return this.#text.slice(from, end + 1);
    }
    return null;
  }

  #plain(): string | null {
    const from = this.#at;
    while (this.#at < this.#text.length && !isDelimiter(this.#text.charCodeAt(this.#at))) this.#at += 1;
    const text = this.#text.slice(from, this.#at);
    return plainValue.test(text) ? text : null;
  }

  #takes(sign: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }
}

const plainValue = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/u;

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** A comma, a bracket, a colon or white space. */
function isDelimiter(code: number): boolean {
  return code === 44 || code === 93 || code === 125 || code === 58 || isSpace(code);
}

/** A column of a table: what all objects have under a name. */
interface Column {
  readonly name: string;
  /** Undefined where an object lacks the name. */
  readonly values: readonly (Value | undefined)[];
  readonly nested: Table | null;
  /** The value that all objects share; null if they differ. */
  readonly constant: string | null;
}

/** Objects with similar names. */
interface Table {
  readonly columns: readonly Column[];
  /** The number of names in the objects that the table does not repeat. */
  readonly leftOut: number;
}

class Writer {
  /** Number of names that are not repeated. */
  leftOut = 0;
  hasTable = false;
  readonly #colon: string;

  /** @param colon what stands between a name and its value in objects that are written out */
  constructor(colon: string) {
    this.#colon = colon;
  }

  /** Each row of a table begins on a line of its own. */
  write(value: Value): string {
    switch (value.kind) {
      case "scalar":
        return value.text;
      case "object":
        return `{${value.values.map((each, index) => `${value.names[index] ?? ""}:${this.write(each)}`).join(",")}}`;
      case "list": {
        const table = tableOf(value.items);
        if (table === null) return `[${value.items.map((each) => this.write(each)).join(",")}]`;
        this.leftOut += table.leftOut;
        this.hasTable = true;
        const odd = oddRows(table);
        const rows = value.items.map((item, index) =>
          odd.has(index) ? this.#whole(item) : this.#row(table, index),
        );
        return `${header(table)}[\n${rows.join(",\n")}\n]`;
      }
    }
  }

  /** Writes a value out, with all names. */
  #whole(value: Value): string {
    if (value.kind === "scalar") return value.text;
    if (value.kind === "list") return `[${value.items.map((each) => this.#whole(each)).join(",")}]`;
    this.leftOut -= value.names.length;
    const members = value.values.map(
      (each, index) => `${value.names[index] ?? ""}${this.#colon}${this.#whole(each)}`,
    );
    return `{${members.join(",")}}`;
  }

  #row({ columns }: Table, index: number): string {
    const cells: string[] = [];
    for (const { constant, values, nested } of columns) {
      const value = values[index];
      if (constant !== null) continue;
      if (value === undefined) cells.push("");
      else cells.push(nested === null ? this.write(value) : this.#row(nested, index));
    }
    return `[${cells.join(",")}]`;
  }
}

/** Returns the table of similar objects; null for other values. */
function tableOf(items: readonly (Value | undefined)[]): Table | null {
  const byName = new Map<string, (Value | undefined)[]>();
  let [rows, size] = [0, 0];
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item === undefined) continue;
    if (item.kind !== "object") return null;
    rows += 1;
    size += item.names.length;
    for (const [at, name] of item.names.entries()) {
      const values = byName.get(name) ?? new Array<Value | undefined>(items.length).fill(undefined);
      // A name that an object has twice.
      if (values[index] !== undefined) return null;
      values[index] = item.values[at];
      byName.set(name, values);
    }
    // Objects that are too unlike would make a table of holes.
    if (byName.size > maxNames * Math.max(minNames, size / rows)) return null;
  }
  if (rows < minRows || byName.size === 0) return null;
  const columns = [...byName].map(([name, values]) => {
    const nested = tableOf(values);
    return {
      name,
      values,
      nested,
      constant: nested === null ? constantIn(values) : constantTable(nested, values),
    };
  });
  const leftOut = columns.reduce((sum, { nested }) => sum + (nested?.leftOut ?? 0), size - columns.length);
  return { columns, leftOut };
}

/** Returns the objects that are unlike the others: with a rare value, a number far above the rest, or a name that few have. */
function oddRows({ columns }: Table): Set<number> {
  const odd = new Set<number>();
  for (const { values, nested, constant } of columns) {
    if (constant !== null || values.length < minUsual) continue;
    const keys = values.map((value) =>
      value === undefined ? "" : value.kind === "scalar" ? value.text : "{",
    );
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const rare = [...keys.keys()].filter(
      (index) => (counts.get(keys[index] ?? "") ?? 0) <= Math.max(1, keys.length * rareShare),
    );
    if (rare.length <= Math.max(1, keys.length * maxShare)) for (const index of rare) odd.add(index);
    const far = farthest(keys);
    if (far !== null) odd.add(far);
    if (nested !== null) for (const index of oddRows(nested)) odd.add(index);
  }
  return odd;
}

/** Returns the position of a number far above all others; null if there is none. */
function farthest(texts: readonly string[]): number | null {
  let [first, second, at] = [0, 0, -1];
  for (const [index, text] of texts.entries()) {
    const value = Number(text);
    if (value > first) [second, first, at] = [first, value, index];
    else if (value > second) second = value;
  }
  return at !== -1 && first > 10 && first >= farFactor * Math.max(1, second) ? at : null;
}

function constantIn(values: readonly (Value | undefined)[]): string | null {
  const [first] = values;
  if (first?.kind !== "scalar") return null;
  for (const value of values) if (value?.kind !== "scalar" || value.text !== first.text) return null;
  return first.text;
}

/** Returns the header of a table without rows, as all its columns have one value in each object; null otherwise. */
function constantTable(table: Table, values: readonly (Value | undefined)[]): string | null {
  return table.columns.some(({ constant }) => constant === null) || values.includes(undefined)
    ? null
    : header(table);
}

function header({ columns }: Table): string {
  const written = columns.map(({ name, nested, constant }) => {
    // Where it is a word, without quotation marks.
    const word = /^"[\w$.-]+"$/u.test(name) ? name.slice(1, -1) : name;
    if (constant !== null) return `${word}=${constant}`;
    return nested === null ? word : word + header(nested);
  });
  return `(${written.join(",")})`;
}
