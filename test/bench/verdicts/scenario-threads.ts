import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { LifeFigures, Scenario } from "./scenario.ts";

interface Piece {
  readonly scenario: string;
  readonly how: "now" | "before";
  readonly from: number;
  readonly lives: number;
}

type Answer = { readonly lives: readonly LifeFigures[] } | { readonly error: string };

const lengthOfPiece = 10;

export async function loadScenario(name: string): Promise<Scenario> {
  const loaded: unknown = await import(new URL(`scenarios/${name}.ts`, import.meta.url).href);
  if (!hasScenario(loaded)) throw new Error(`scenarios/${name}.ts exports no scenario`);
  return loaded.scenario;
}

function hasScenario(loaded: unknown): loaded is { readonly scenario: Scenario } {
  return typeof loaded === "object" && loaded !== null && "scenario" in loaded;
}

/** Simulates lives on all processors, or on `threads` of them. The same seeds give the same lives, in the order of their seeds. */
export async function simulate(
  asked: {
    readonly scenario: string;
    readonly how: "now" | "before";
    readonly seed: number;
    readonly lives: number;
  },
  threads = availableParallelism(),
): Promise<LifeFigures[]> {
  const pieces = Array.from({ length: Math.ceil(asked.lives / lengthOfPiece) }, (_, index): Piece => {
    const before = index * lengthOfPiece;
    const lives = Math.min(lengthOfPiece, asked.lives - before);
    return { scenario: asked.scenario, how: asked.how, from: asked.seed + before, lives };
  });
  const found: (readonly LifeFigures[])[] = pieces.map(() => []);
  let next = 0;
  const work = async () => {
    const worker = new Worker(new URL(import.meta.url));
    try {
      for (let index = next++; index < pieces.length; index = next++)
        found[index] = await askWorker(worker, pieces[index]);
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, pieces.length) }, work));
  return found.flat();
}

function askWorker(worker: Worker, piece: Piece | undefined): Promise<readonly LifeFigures[]> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (answer: Answer) => {
      worker.off("error", reject);
      if ("error" in answer) reject(new Error(answer.error));
      else resolve(answer.lives);
    });
    worker.postMessage(piece);
  });
}

async function livesOf({ scenario: name, how, from, lives }: Piece): Promise<LifeFigures[]> {
  const scenario = await loadScenario(name);
  const life = how === "now" ? scenario.now : scenario.before;
  if (typeof life !== "function") throw new Error(`${name} has no lives of before`);
  const found: LifeFigures[] = [];
  for (let seed = from; seed < from + lives; seed += 1) found.push(await life(seed));
  return found;
}

if (!isMainThread) {
  parentPort?.on("message", (piece: Piece) => {
    void livesOf(piece)
      .then((lives): Answer => ({ lives }))
      .catch((error: unknown): Answer => ({
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }))
      .then((answer) => parentPort?.postMessage(answer));
  });
}
