import { callAll } from "./call-all.ts";

/** Holds a resource until it is disposed. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/**
 * Owns disposables and disposes them together, last added first. An error of one does not stop the others.
 */
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
