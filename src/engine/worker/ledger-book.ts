import type { Clock } from "../base/timing/clock.ts";
import type { BenchBook } from "../bench/request.ts";
import { expectedFromRuns } from "../bench/plan/expected-tokens.ts";
import type { Requester } from "../wire/wire.ts";

const week = 7 * 24 * 60 * 60_000; // ms

/**
 * The ledger of a service as a bench's book. What cannot be told or asked is said once, and the bench goes on: its own folder keeps
 * every run, and the ledger is told of them when it is resumed.
 */
export function bookOfService(
  service: Requester<"goldenBook" | "goldenRecord">,
  { clock, onProblem }: { readonly clock: Clock; readonly onProblem: (message: string) => void },
): BenchBook {
  let hasFailed = false;
  const failed = (detail: string) => {
    if (!hasFailed) onProblem(`The ledger does not know of this bench's runs: ${detail}`);
    hasFailed = true;
  };
  const book = async () => {
    const asked = await service.ask("goldenBook", { asked: clock.now() - week });
    if (asked.ok) return asked.value.answer;
    failed(asked.detail);
    return null;
  };
  return {
    async record(run) {
      const told = await service.ask("goldenRecord", { runs: [run] });
      if (!told.ok) failed(told.detail);
    },
    async expected(asked) {
      const known = await book();
      return known === null ? null : expectedFromRuns(known.runs, asked);
    },
    async week() {
      return (await book())?.spent ?? null;
    },
  };
}
