import type { BenchPorts, BenchRequest, OnProgress } from "../../bench/bench-request.ts";
import type { BenchRun } from "../../bench/run-facts.ts";
import { runRound } from "../../bench/execute.ts";
import type { PairPorts, RoundRuns } from "./measure-pair.ts";

/**
 * Rounds run by a bench, in a folder with the request's id; a round run before is answered from there. A bench that
 * cannot be opened pauses the experiment with that detail.
 */
export function benchRounds(
  request: BenchRequest,
  ports: BenchPorts,
  onProgress: OnProgress,
): PairPorts["round"] {
  const run = benchArms(request, ports, onProgress);
  return async (round, signal) => await run({ round, arms: null }, signal);
}

/** The same for a bench of several arms. @param about.arms the remaining ones; null for all */
export function benchArms(request: BenchRequest, ports: BenchPorts, onProgress: OnProgress) {
  return async (
    about: { readonly round: number; readonly arms: readonly number[] | null },
    signal: AbortSignal,
  ): Promise<RoundRuns> => {
    const answer = await runRound({ request, ...about }, ports, signal, onProgress);
    if (!answer.ok) return { kind: "paused", detail: answer.detail };
    const { state, runs } = answer.value;
    if (state.kind === "paused") return { kind: "paused", detail: state.detail };
    return state.kind === "done" ? { kind: "made", runs } : { kind: "cancelled" };
  };
}

/** Returns the list price of runs in USD; null where the price of one of them is unknown. */
export function priceOfRuns(runs: readonly BenchRun[], price: BenchPorts["price"]): number | null {
  let whole = 0;
  for (const { model, processingTokens, usage } of runs) {
    const own = price(model, { processing: processingTokens, cacheRead: usage.cacheRead });
    if (own === null) return null;
    whole += own;
  }
  return whole;
}
