/** A part that one feature gives to the other features of the same service. */
export class Provision<Part> {
  readonly #parts = new WeakMap<object, Part>();

  /** @param service what identifies the service; one process may run several */
  give(service: object, part: Part): Part {
    this.#parts.set(service, part);
    return part;
  }

  /** Returns undefined where no feature has given it. */
  of(service: object): Part | undefined {
    return this.#parts.get(service);
  }
}
