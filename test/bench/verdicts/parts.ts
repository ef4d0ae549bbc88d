import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { compareMany as compareArms, type ComparedArms, type Way } from "./arms.ts";
import { compareMany, type Compared } from "./comparisons.ts";
import { peerLife, purserLife, type Life } from "./selection.ts";
import { turn, turnings, type Turned } from "./turned.ts";
import { makeWorld, usualShape } from "./world.ts";

/** A piece of the benchmark; `from` is its first seed. */
export type Part = { readonly from: number; readonly draws: number } & (
  | { readonly kind: "lives"; readonly saves: number; readonly bar: number }
  | { readonly kind: "comparison"; readonly saves: number }
  | { readonly kind: "arms"; readonly saves: readonly number[]; readonly way: Way }
  | { readonly kind: "turning"; readonly place: number }
);

/** The results of a part: what its kind has, and else nothing. */
export interface Done {
  readonly lives: readonly Lives[];
  readonly compared: readonly Compared[];
  readonly arms: readonly ComparedArms[];
  readonly turned: readonly Turned[];
}

/** One rule's life under each procedure. */
interface Lives {
  readonly purser: Life;
  readonly two: Life;
  readonly three: Life;
}

const nothing: Done = { lives: [], compared: [], arms: [], turned: [] };

interface Waiting {
  readonly part: Part;
  readonly done: (done: Done) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Does parts on all processors, in the order in which they are asked for. The threads stay, so that what they computed once,
 * as boundaries, serves all parts, and no processor waits for another at the end of a section.
 */
export class Threads {
  readonly #workers: Worker[] = [];
  readonly #idle: Worker[] = [];
  readonly #waiting: Waiting[] = [];

  constructor() {
    for (let count = 0; count < availableParallelism(); count += 1) {
      const worker = new Worker(new URL(import.meta.url));
      this.#workers.push(worker);
      this.#idle.push(worker);
    }
  }

  /** Says on stderr how far it is. The results are in the order of the parts. */
  async do(title: string, parts: readonly Part[]): Promise<Done> {
    let ended = 0;
    const all = parts.map(async (part) => {
      const done = await new Promise<Done>((resolve, reject) => {
        this.#waiting.push({ part, done: resolve, failed: reject });
        this.#next();
      });
      ended += 1;
      console.error(`${title}: ${ended} of ${parts.length} parts by ${seconds()} s`);
      return done;
    });
    return (await Promise.all(all)).reduce<Done>(
      (sum, one) => ({
        lives: [...sum.lives, ...one.lives],
        compared: [...sum.compared, ...one.compared],
        arms: [...sum.arms, ...one.arms],
        turned: [...sum.turned, ...one.turned],
      }),
      nothing,
    );
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #next(): void {
    const [worker, waiting] = [this.#idle[0], this.#waiting[0]];
    if (worker === undefined || waiting === undefined) return;
    this.#idle.shift();
    this.#waiting.shift();
    worker.once("error", waiting.failed);
    worker.once("message", (done: Done) => {
      worker.off("error", waiting.failed);
      this.#idle.push(worker);
      waiting.done(done);
      this.#next();
    });
    worker.postMessage(waiting.part);
  }
}

/** Since the start. */
export function seconds(): string {
  return (performance.now() / 1000).toFixed(0);
}

async function doPart(part: Part): Promise<Done> {
  const { from, draws } = part;
  switch (part.kind) {
    case "lives":
      return { ...nothing, lives: await livesOf(part) };
    case "comparison":
      return { ...nothing, compared: [await compareMany(part.saves, draws, from)] };
    case "arms":
      return { ...nothing, arms: [await compareArms(part.saves, part.way, { draws, from })] };
    case "turning": {
      const turning = turnings[part.place];
      return turning === undefined ? nothing : { ...nothing, turned: [await turn(turning, draws, from)] };
    }
  }
}

async function livesOf({
  saves,
  bar,
  from,
  draws,
}: Extract<Part, { readonly kind: "lives" }>): Promise<Lives[]> {
  const lives: Lives[] = [];
  const trueSaving = saves * usualShape.meanTokens;
  for (let seed = from; seed < from + draws; seed += 1) {
    const context = makeWorld({ ...usualShape, saves }, seed);
    lives.push({
      purser: await purserLife(context, bar),
      two: peerLife(context, { runs: 2, bar }, trueSaving),
      three: peerLife(context, { runs: 3, bar }, trueSaving),
    });
  }
  return lives;
}

if (!isMainThread) {
  parentPort?.on("message", (part: Part) => {
    void doPart(part).then((done) => parentPort?.postMessage(done));
  });
}
