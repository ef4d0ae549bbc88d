import path from "node:path";
import type { FilePort } from "../../../../src/engine/base/disk/file-port.ts";

/** A system's error, as Node throws it. */
export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

/**
 * An in-memory disk shared by several processes. Every operation waits for its `turn`, so that a test controls the
 * order.
 */
export class MemoryDisk {
  readonly files = new Map<string, Buffer>();
  #changes = 0;
  readonly #times = new WeakMap<Buffer, number>();
  readonly #turn: () => Promise<void>;

  constructor(turn: () => Promise<void> = () => Promise.resolve()) {
    this.#turn = turn;
  }

  /** @param mayAct throws when the acting process is dead */
  port(mayAct: () => void = () => undefined): FilePort {
    const act = async <Value>(work: () => Value): Promise<Value> => {
      await this.#turn();
      mayAct();
      return work();
    };
    const { files } = this;
    const bytesOf = (file: string) => {
      const bytes = files.get(file);
      if (bytes === undefined) throw systemError("ENOENT");
      return bytes;
    };
    const make = (file: string, bytes: Buffer) => {
      if (files.has(file)) throw systemError("EEXIST");
      files.set(file, bytes);
    };
    return {
      create: (file) =>
        act(() => {
          make(file, Buffer.alloc(0));
          return {
            write: (bytes) => act(() => void files.set(file, Buffer.from(bytes))),
            flush: () => act(() => undefined),
            truncate: () => act(() => undefined),
            close: () => Promise.resolve(),
          };
        }),
      read: (file) => act(() => bytesOf(file)),
      kindOf: (file) => act(() => (bytesOf(file), "file")),
      list: (folder) =>
        act(() =>
          [...files.keys()]
            .filter((file) => path.dirname(file) === folder)
            .map((file) => path.basename(file)),
        ),
      makeFolder: () => Promise.resolve(),
      rename: (from, to) =>
        act(() => {
          files.set(to, bytesOf(from));
          files.delete(from);
        }),
      link: (from, to) => act(() => make(to, bytesOf(from))),
      remove: (file) => act(() => void files.delete(file)),
      flushFolder: () => act(() => undefined),
      // No two writes share a time; bytes placed there by a test get the time they are first seen.
      modifiedAt: (file) =>
        act(() => {
          const bytes = bytesOf(file);
          const time = this.#times.get(bytes) ?? (this.#changes += 1);
          this.#times.set(bytes, time);
          return time;
        }),
      touch: () => act(() => undefined),
      overwrite: (file, bytes) =>
        act(() => void files.set(file, Buffer.concat([bytes, bytesOf(file).subarray(bytes.length)]))),
    };
  }
}

/** Lets waiters proceed one at a time, in an order determined by a seed. */
export function seededTurns(random: () => number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isGoing = false;
  const next = () => {
    const [chosen] = waiting.splice(Math.floor(random() * waiting.length), 1);
    isGoing = waiting.length > 0 || chosen !== undefined;
    if (chosen === undefined) return;
    chosen();
    setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (!isGoing) setImmediate(next);
      isGoing = true;
    });
}

/** Seeded random numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
