import { rowShape, type ObjectShape, type Shape } from "../row-shape.ts";
import { RowValues } from "../slot-values.ts";
import { kernelCode } from "./code.generated.ts";

// As in `assembly/kernel.ts`.
const kinds = { text: 1, count: 2, flag: 3, mark: 4, list: 5, object: 6 } as const;
const hashesAt = 4;
const othersAt = 260;
const entriesAt = 264;
const entrySize = 16;

/**
 * Writes a shape where the kernel looks for it. Each object has a table of its members: first the factor of its hash,
 * then by hash the number of the entry or 0, then the slot of other members or 0, then the entries, numbered from 1. An
 * entry holds a key's address and length, and the member's kind and slot. For an object it adds the end of its slots. It
 * ends with the address of an object's table, or of a text's wanted texts. Those are entries too, up to one with the
 * address 0.
 */
function layOut(shape: ObjectShape, memory: DataView<ArrayBuffer>, start: number): void {
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

  addTable({ members, others = 0 }: ObjectShape): number {
    const entries = [...members.entries()];
    const table = this.#take(entriesAt + (entries.length + 1) * entrySize);
    this.#memory.setUint32(table, members.factor, true);
    this.#memory.setUint8(table + othersAt, others);
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

/** The outcomes of `RowKernel.read`. */
export const [declined, unwanted, whole, joined] = [0, 1, 2, 3];

/** Bytes: the kernel reads up to 64 at a time, and this far ahead, at the input's end too. */
const mostBeyond = 96;
const pageSize = 1 << 16;

/** Takes the offsets of a line's start and end in the input. */
type OnLine = (from: number, to: number) => number;

interface Memory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

/** The compiled reader of rows, whose source is `assembly/kernel.ts`, with its memory. */
export class RowKernel {
  /** Only lines in this buffer are read. */
  readonly input: Buffer<ArrayBuffer>;
  /** The values of a row that was `whole`. */
  readonly values: RowValues;
  readonly #read: OnLine;
  readonly #holdsRecord: OnLine;

  /**
   * @param inputSize bytes of input
   * @throws a `RangeError` when there is no address space for the memory
   */
  constructor(inputSize: number) {
    const { memory, read, holdsRecord, at } = instantiate();
    memory.grow(Math.ceil((inputSize + mostBeyond) / pageSize));
    const { buffer } = memory;
    this.input = Buffer.from(buffer, at("input"), inputSize);
    this.values = new RowValues({
      states: new Uint8Array(buffer, at("states"), rowShape.end),
      starts: new Int32Array(buffer, at("starts"), rowShape.end),
      ends: new Int32Array(buffer, at("ends"), rowShape.end),
      escapes: new Uint8Array(buffer, at("escapes"), rowShape.end),
      numbers: new Float64Array(buffer, at("numbers"), rowShape.end),
    });
    layOut(rowShape, new DataView(buffer, 0, at("closers")), at("tables"));
    this.#read = read;
    this.#holdsRecord = holdsRecord;
  }

  /**
   * Reads a line. `whole`: it is one JSON object in the form in which agents write rows, and its values are in their
   * slots. `unwanted`: it need not be read, as `mayBeWanted` would also report. `joined`: the same, but the mark of a
   * response's record follows in the line. `declined`: it may be anything.
   */
  read(line: Buffer, start: number, end: number): number {
    if (line !== this.input || end >= line.length) return declined;
    this.values.bytes = line;
    return this.#read(start, end);
  }

  /** Whether a part of a line contains the mark of a response's record; null for one in another buffer. */
  holdsRecord(line: Buffer, start: number, end: number): boolean | null {
    return line === this.input ? this.#holdsRecord(start, end) !== 0 : null;
  }
}

/**
 * Returns null where compiled code may not run, or has no room, or the processor lacks its instructions: all rows are
 * then read by `ShapeReader`, more slowly.
 */
export function kernelIfPossible(inputSize: number): RowKernel | null {
  if (typeof WebAssembly === "undefined") return null;
  try {
    return new RowKernel(inputSize);
  } catch (error) {
    if (error instanceof RangeError || error instanceof WebAssembly.CompileError) return null;
    throw error;
  }
}

interface Kernel {
  readonly memory: Memory;
  readonly read: OnLine;
  readonly holdsRecord: OnLine;
  /** The address of what is exported under a name. */
  readonly at: (name: string) => number;
}

function instantiate(): Kernel {
  const module = new WebAssembly.Module(Buffer.from(kernelCode, "base64"));
  const { exports } = new WebAssembly.Instance(module);
  const { memory, read, holdsRecord } = exports;
  if (!isMemory(memory) || !isOnLine(read) || !isOnLine(holdsRecord)) throw unlikeItsSource();
  return { memory, read, holdsRecord, at: (name) => addressOf(exports[name]) };
}

function addressOf(global: unknown): number {
  if (typeof global !== "object" || global === null || !("value" in global)) throw unlikeItsSource();
  return Number(global.value);
}

function unlikeItsSource(): Error {
  return new Error("The compiled reader of rows is not what its source says");
}

function isMemory(value: unknown): value is Memory {
  return typeof value === "object" && value !== null && "buffer" in value && "grow" in value;
}

function isOnLine(value: unknown): value is OnLine {
  return typeof value === "function";
}
