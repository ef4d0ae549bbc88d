import type { Disposable } from "../../engine/base/events.ts";

/** A part of a feature that is loaded once, on first use. */
export class LazyPart<Part extends Disposable> implements Disposable {
  readonly #load: () => Promise<Part>;
  #loading: Promise<Part> | undefined;

  constructor(load: () => Promise<Part>) {
    this.#load = load;
  }

  get(): Promise<Part> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Disposes of a part that is still loading once it is loaded. */
  dispose(): void {
    void this.#loading?.then(
      (part) => part.dispose(),
      () => {
        // The first use already reported the failure to load. There is nothing to dispose of.
      },
    );
  }
}
