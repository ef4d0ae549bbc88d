import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { beforeAdmits } from "./before.ts";
import { makeJointWorld, taskSizes, type JointShape } from "./joint-world.ts";
import { peerAdmits } from "./peer.ts";
import type { SetDecision } from "../../../src/engine/verdict/retention.ts";
import { auditsLife, bar, candidatesLife } from "./together.ts";

/** The simulation: a procedure, in a world, for this many lives. */
export interface Asked {
  readonly procedure: "together" | "patient" | "before" | "peer" | "audits";
  readonly shape: JointShape;
  readonly lives: number;
  /** The first life's seed. */
  readonly seed: number;
  /** Processing tokens of one measurement; null for no cap. */
  readonly tokenCap: number | null;
  /** Re-audits, or the peer's runs a side. */
  readonly times?: number;
}

/** Counts over all lives, by the places of the rules. */
export interface Counts {
  readonly lives: number;
  readonly decided: readonly number[];
  readonly missed: readonly number[];
  /** Mean processing tokens of one life. */
  readonly tokens: number;
  /**
   * Lives with two or more admitted rules, by the reported effect of their set, and the tokens that took in
   * all of them.
   */
  readonly sets: Readonly<Record<SetDecision | "tokens", number>>;
}

const noSets = { confirmed: 0, refused: 0, undecided: 0, tokens: 0 };

/** Simulates lives on all processors; the same seeds give the same counts. */
export async function simulateLives(asked: Asked): Promise<Counts> {
  const threads = Math.min(asked.lives, availableParallelism());
  const shares = Array.from({ length: threads }, (_, index) => {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * asked.lives) / threads));
    return { ...asked, seed: asked.seed + (from ?? 0), lives: (to ?? 0) - (from ?? 0) };
  });
  const counts = await Promise.all(shares.map(inThread));
  const sums = (value: (count: Counts) => readonly number[]) =>
    asked.shape.saves.map((_, place) => counts.reduce((sum, count) => sum + (value(count)[place] ?? 0), 0));
  return {
    lives: asked.lives,
    decided: sums(({ decided }) => decided),
    missed: sums(({ missed }) => missed),
    tokens: counts.reduce((sum, { tokens, lives }) => sum + (tokens * lives) / asked.lives, 0),
    sets: counts.reduce(
      (sum, { sets }) => ({
        confirmed: sum.confirmed + sets.confirmed,
        refused: sum.refused + sets.refused,
        undecided: sum.undecided + sets.undecided,
        tokens: sum.tokens + sets.tokens,
      }),
      noSets,
    ),
  };
}

function inThread(asked: Asked): Promise<Counts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url));
    worker.once("message", (counts: Counts) => {
      resolve(counts);
      void worker.terminate();
    });
    worker.once("error", reject);
    worker.postMessage(asked);
  });
}

async function countLives(asked: Asked): Promise<Counts> {
  const decided = asked.shape.saves.map(() => 0);
  const missed = asked.shape.saves.map(() => 0);
  let tokens = 0;
  const sets = { ...noSets };
  for (let life = 0; life < asked.lives; life += 1) {
    const own = await lifeOf(asked, asked.seed + life);
    for (const [place, is] of own.decided.entries()) decided[place] = (decided[place] ?? 0) + Number(is);
    for (const [place, is] of own.missed.entries()) missed[place] = (missed[place] ?? 0) + Number(is);
    tokens += own.tokens / asked.lives;
    if (own.set !== null) {
      sets[own.set.decision] += 1;
      sets.tokens += own.set.tokens;
    }
  }
  return { lives: asked.lives, decided, missed, tokens, sets };
}

async function lifeOf({ procedure, shape, tokenCap, times = 2 }: Asked, seed: number) {
  if (procedure === "together" || procedure === "patient")
    return await candidatesLife(shape, seed, { tokenCap, isPatient: procedure === "patient" });
  if (procedure === "audits")
    return await auditsLife(shape, seed, { audits: times, tokenCap: tokenCap ?? Infinity });
  const each = shape.saves.map((_, place) => aloneLife(procedure, { shape, place, times }, seed));
  return {
    decided: each.map(({ admitted }) => admitted),
    missed: [],
    set: null,
    tokens: each.reduce((sum, one) => sum + one.tokens, 0),
  };
}

/** One rule alone, without any other. */
function aloneLife(
  procedure: "before" | "peer",
  { shape, place, times }: { readonly shape: JointShape; readonly place: number; readonly times: number },
  seed: number,
): { readonly admitted: boolean; readonly tokens: number } {
  const draw = makeJointWorld(shape, seed * 64 + place);
  const run = (task: number, round: number, isWith: boolean) =>
    draw({ round, task, rules: isWith ? [place] : [] });
  if (procedure === "peer") {
    const tasks = taskSizes.map((median, task) => ({
      id: String(task),
      median,
      spread: shape.noise,
      passes: 1,
      saves: 0,
    }));
    const world = {
      tasks,
      run: ({ task, number, withRule }: { task: number; number: number; withRule: boolean }) =>
        run(task, number + 1, withRule),
    };
    return peerAdmits(world, 0, { runs: times, bar });
  }
  return beforeAdmits(bar, (round) =>
    taskSizes.map((_, task) => {
      const [without, withIt] = [run(task, round, false), run(task, round, true)];
      return {
        task,
        tokens: [without.tokens, withIt.tokens],
        passed: [without.passed, withIt.passed],
      };
    }),
  );
}

if (!isMainThread) {
  parentPort?.once("message", (asked: Asked) => {
    void countLives(asked).then((counts) => parentPort?.postMessage(counts));
  });
}
