/**
 * The stored form of sums: repeated texts are written once and then referred to by number, everything else is a number.
 * Only sums of this version are read back: their basis includes the version.
 */
export class SumsWriter {
  readonly #names = new Map<string, number>();
  readonly #numbers: number[] = [];

  name(text: string | null): void {
    if (text === null) {
      this.#numbers.push(-1);
      return;
    }
    let index = this.#names.get(text);
    if (index === undefined) this.#names.set(text, (index = this.#names.size));
    this.#numbers.push(index);
  }

  numbers(...some: readonly number[]): void {
    this.#numbers.push(...some);
  }

  text(): string {
    return JSON.stringify([[...this.#names.keys()], this.#numbers]);
  }
}

export class SumsReader {
  readonly #names: readonly unknown[];
  readonly #numbers: readonly unknown[];
  #index = 0;

  constructor(text: string) {
    const parsed: unknown = JSON.parse(text);
    const lists: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
    this.#names = Array.isArray(lists[0]) ? lists[0] : [];
    this.#numbers = Array.isArray(lists[1]) ? lists[1] : [];
  }

  get isOver(): boolean {
    return this.#index >= this.#numbers.length;
  }

  number(): number {
    const value = this.#numbers[this.#index];
    this.#index += 1;
    if (typeof value !== "number") throw new Error("Sums of a session are no numbers");
    return value;
  }

  maybeName(): string | null {
    const index = this.number();
    const name = this.#names[index];
    if (index === -1) return null;
    if (typeof name !== "string") throw new Error("Sums of a session have no such name");
    return name;
  }

  name(): string {
    return this.maybeName() ?? "";
  }
}
