import { callAll } from "./call-all.ts";

/** Something that holds a resource until it is let go. Letting go twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables and lets them go together, last taken first. One that fails does not keep the others. */
export class DisposableList implements Disposable {
  readonly #items: Disposable[] = [];
  #disposed = false;

  add<Item extends Disposable>(item: Item): Item {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    const calls = this.#items
      .splice(0)
      .reverse()
      .map((item) => () => item.dispose());
    callAll(calls, "Something could not be let go");
  }
}
