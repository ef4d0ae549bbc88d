import type { Clock } from "../base/timing/clock.ts";
import type { RunRecorder } from "../bench/request.ts";
import { english } from "../base/text/english.ts";
import { expectedFromRuns } from "../bench/plan/expected-tokens.ts";
import type { Requester } from "../wire/wire.ts";

const week = 7 * 24 * 60 * 60_000; // ms

/**
 * Records a bench's runs in the ledger of a service. A failure is reported once, and the bench goes on: its own folder stores every
 * run, and the ledger gets them when the bench is resumed.
 */
export function serviceRunRecorder(
  service: Requester<"goldenBook" | "goldenRecord">,
  { clock, onProblem }: { readonly clock: Clock; readonly onProblem: (message: string) => void },
): RunRecorder {
  let hasFailed = false;
  const failed = (detail: string) => {
    if (!hasFailed)
      onProblem(english("The ledger does not know of this bench's runs: {saidWhy}", { saidWhy: detail }));
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
      const answer = await service.ask("goldenRecord", { runs: [run] });
      if (!answer.ok) failed(answer.detail);
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
