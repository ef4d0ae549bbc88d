import type { Disposable } from "../../engine/base/disposable.ts";

/** A part of a feature that is loaded once, when it is first needed. */
export class LatePart<Part extends Disposable> implements Disposable {
  readonly #load: () => Promise<Part>;
  #loading: Promise<Part> | undefined;

  constructor(load: () => Promise<Part>) {
    this.#load = load;
  }

  get(): Promise<Part> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** What is still loading is let go when it is there. */
  dispose(): void {
    void this.#loading?.then(
      (part) => part.dispose(),
      () => {
        // Whoever needed it was told why it could not be loaded: there is nothing to let go.
      },
    );
  }
}
