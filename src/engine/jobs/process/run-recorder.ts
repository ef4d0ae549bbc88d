import type { Clock } from "../../base/timing.ts";
import type { BenchRun } from "../../bench/run-facts.ts";
import type { RunRecorder } from "../../bench/bench-request.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { expectedFromRuns } from "../../bench/plan.ts";
import type { Requester } from "../all-requests.ts";
import type { Rule } from "../../rules/rule.ts";
import type { RuleView } from "../../rules/rules-answers.ts";

const week = 7 * 24 * 60 * 60_000; // ms
/** Runs per message, so that no message is too large. */
const atOnce = 50;

export interface ServiceRunRecorder extends RunRecorder {
  /** Records missing runs again; returns how many the ledger still lacks. */
  left(): Promise<number>;
}

/** Reports one failure, and continues: the bench's folder has every run. A rejected run is recorded with a later one, or on resume. */
export function serviceRunRecorder(
  service: Requester<"goldenBook" | "goldenRecord">,
  { clock, onProblem }: { readonly clock: Clock; readonly onProblem: (message: Sentence) => void },
): ServiceRunRecorder {
  let hasFailed = false;
  const failed = (detail: Sentence) => {
    if (!hasFailed)
      onProblem(sentence("The ledger lacks runs of this benchmark for now: {why}", { why: detail }));
    hasFailed = true;
  };
  const missed = new Map<string, BenchRun>();
  const send = async (): Promise<void> => {
    const runs = [...missed.values()];
    for (let from = 0; from < runs.length; from += atOnce) {
      const some = runs.slice(from, from + atOnce);
      const answer = await service.ask("goldenRecord", { runs: some });
      if (!answer.ok) {
        failed(answer.detail);
        return;
      }
      for (const { id } of some) missed.delete(id);
    }
  };
  const book = async () => {
    const reply = await service.ask("goldenBook", { asked: clock.now() - week });
    if (reply.ok) return reply.value.answer;
    failed(reply.detail);
    return null;
  };
  return {
    async record(run) {
      missed.set(run.id, run);
      await send();
    },
    async left() {
      await send();
      return missed.size;
    },
    async expected(reply) {
      const known = await book();
      return known === null ? null : expectedFromRuns(known.runs, reply);
    },
    async week() {
      return (await book())?.spent ?? null;
    },
  };
}

export function ruleOfView({ rent, ...rule }: RuleView): Rule {
  return { ...rule, rent: rent.total };
}
