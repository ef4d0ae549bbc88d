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
export interface Lives {
  readonly purser: Life;
  readonly two: Life;
  readonly three: Life;
}

const nothing: Done = { lives: [], compared: [], arms: [], turned: [] };

/** Does parts on all processors, and says on stderr how far it is. The results are in the order of the parts. */
export async function doParts(title: string, parts: readonly Part[]): Promise<Done> {
  const began = performance.now();
  const done: (Done | undefined)[] = parts.map(() => undefined);
  let [next, ended] = [0, 0];
  const thread = async () => {
    const worker = new Worker(new URL(import.meta.url));
    for (let place = next++; place < parts.length; place = next++) {
      done[place] = await inWorker(worker, parts[place]);
      ended += 1;
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      console.error(`${title}: ${ended} of ${parts.length} parts in ${seconds} s`);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(parts.length, availableParallelism()) }, thread));
  return done.reduce<Done>(
    (sum, one = nothing) => ({
      lives: [...sum.lives, ...one.lives],
      compared: [...sum.compared, ...one.compared],
      arms: [...sum.arms, ...one.arms],
      turned: [...sum.turned, ...one.turned],
    }),
    nothing,
  );
}

function inWorker(worker: Worker, part: Part | undefined): Promise<Done> {
  return new Promise((resolve, reject) => {
    worker.once("message", (done: Done) => {
      worker.off("error", reject);
      resolve(done);
    });
    worker.once("error", reject);
    worker.postMessage(part);
  });
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
