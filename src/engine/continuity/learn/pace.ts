export interface PacePorts {
  /** Lets others work. */
  readonly pause: () => Promise<void>;
  /** Milliseconds, from any beginning. */
  readonly now: () => number;
}

/** Milliseconds of work between two pauses. */
const slice = 25;

/** Divides work into slices. */
export class Pace {
  readonly #ports: PacePorts;
  #began: number;

  constructor(ports: PacePorts) {
    this.#ports = ports;
    this.#began = ports.now();
  }

  get isDue(): boolean {
    return this.#ports.now() - this.#began >= slice;
  }

  async rest(): Promise<void> {
    await this.#ports.pause();
    this.#began = this.#ports.now();
  }
}
