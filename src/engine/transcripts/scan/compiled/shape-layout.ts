import type { ObjectShape, Shape } from "../row-shape.ts";

// As in `assembly/kernel.ts`.
const kinds = { text: 1, count: 2, flag: 3, mark: 4, list: 5, object: 6 } as const;
const hashesAt = 4;
const entriesAt = 264;
const entrySize = 16;

/**
 * Writes a shape where the kernel looks for it. Of each object's members there is a table: the factor of its hash, by
 * hash the number of the entry or 0, and from 1 up the entries. An entry is a key's address, its length, the member's
 * kind, its slot, for an object the end of its slots, and the address of an object's table or of a text's wanted texts.
 * Those are entries too, up to one whose address is 0.
 */
export function layOut(shape: ObjectShape, memory: DataView<ArrayBuffer>, start: number): void {
  new Layout(memory, start).addTable(shape);
}

class Layout {
  readonly #memory: DataView<ArrayBuffer>;
  /** The first free byte. */
  #free: number;

  constructor(memory: DataView<ArrayBuffer>, start: number) {
    this.#memory = memory;
    this.#free = start;
  }

  addTable({ members }: ObjectShape): number {
    const entries = [...members.entries()];
    const table = this.#take(entriesAt + (entries.length + 1) * entrySize);
    this.#memory.setUint32(table, members.factor, true);
    for (const [index, { hash, key, value }] of entries.entries()) {
      this.#memory.setUint8(table + hashesAt + hash, index + 1);
      const entry = table + entriesAt + (index + 1) * entrySize;
      this.#setText(entry, Buffer.from(key));
      this.#memory.setUint8(entry + 5, kinds[value.kind]);
      this.#memory.setUint8(entry + 6, value.slot);
      this.#memory.setUint8(entry + 7, value.kind === "object" ? value.end : 0);
      this.#memory.setUint32(entry + 8, this.#detailsOf(value), true);
    }
    return table;
  }

  #detailsOf(shape: Shape): number {
    if (shape.kind === "object") return this.addTable(shape);
    if (shape.kind === "list") return this.#addTexts([shape.prefix]);
    if (shape.kind !== "text" || shape.wanted === undefined) return 0;
    return this.#addTexts(shape.wanted.map((text) => Buffer.from(text)));
  }

  #addTexts(list: readonly Buffer[]): number {
    const texts = this.#take((list.length + 1) * entrySize);
    for (const [index, text] of list.entries()) this.#setText(texts + index * entrySize, text);
    return texts;
  }

  #setText(entry: number, bytes: Buffer): void {
    const address = this.#take(bytes.length);
    for (const [index, byte] of bytes.entries()) this.#memory.setUint8(address + index, byte);
    this.#memory.setUint32(entry, address, true);
    this.#memory.setUint8(entry + 4, bytes.length);
  }

  #take(size: number): number {
    const start = this.#free;
    this.#free += Math.ceil(size / 8) * 8;
    return start;
  }
}
