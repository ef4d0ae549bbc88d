import { holdsAt } from "./bytes.ts";

const slots = 256;
const nothing = Buffer.alloc(0);

/** Looks up an object's key by its bytes, without making strings. The keys are plain ASCII. */
export class KeyTable<Value> {
  readonly #entries: readonly (readonly [string, Value])[];
  /** By slot: a key's value, its bytes, and its length, which alone rules out most other keys. */
  readonly #values: (Value | undefined)[] = Array.from({ length: slots });
  readonly #bytes: Buffer[] = Array.from({ length: slots }, () => nothing);
  readonly #lengths = new Uint8Array(slots);
  /** The factor of the hash that distinguishes the keys. */
  readonly factor: number;

  constructor(members: Readonly<Record<string, Value>>) {
    this.#entries = Object.entries(members);
    this.factor = factorFor(Object.keys(members));
    for (const [key, value] of this.#entries) {
      const bytes = Buffer.from(key);
      const slot = slotOf(bytes, 0, bytes.length, this.factor);
      this.#values[slot] = value;
      this.#bytes[slot] = bytes;
      this.#lengths[slot] = bytes.length;
    }
  }

  /** The members, each with its hash. */
  entries(): { hash: number; key: string; value: Value }[] {
    return this.#entries.map(([key, value]) => ({
      hash: slotOf(Buffer.from(key), 0, key.length, this.factor),
      key,
      value,
    }));
  }

  /** The value for the key in these bytes, which contain no escapes; undefined for an unknown key. */
  find(bytes: Buffer, start: number, end: number): Value | undefined {
    const slot = slotOf(bytes, start, end, this.factor);
    if (this.#lengths[slot] !== end - start) return undefined;
    return holdsAt(bytes, start, this.#bytes[slot] ?? nothing) ? this.#values[slot] : undefined;
  }

  findText(text: string): Value | undefined {
    return this.#entries.find(([key]) => key === text)?.[1];
  }
}

/** The first factor that gives every key its own slot. */
function factorFor(keys: readonly string[]): number {
  for (let factor = 1; factor < 1000; factor += 1) {
    const taken = new Set(keys.map((key) => slotOf(Buffer.from(key), 0, key.length, factor)));
    if (taken.size === keys.length) return factor;
  }
  throw new Error(`No factor tells these keys apart: ${keys.join(", ")}`);
}

/**
 * The length and the first, the eleventh and the last byte distinguish our keys from the others in the same object.
 */
function slotOf(bytes: Uint8Array, start: number, end: number, factor: number): number {
  const length = end - start;
  const first = bytes[start] ?? 0;
  const last = bytes[end - 1] ?? 0;
  const later = length > 10 ? (bytes[start + 10] ?? 0) : last;
  return (length * 3 + first * factor + later * (factor + 2) + last * 5) & (slots - 1);
}
