import { randomUUID } from "node:crypto";
import { succeed, type Failure, type Result } from "../../../base/result.ts";
import { keepReceipt, settledReceipts } from "../../../compare/compare-outcome.ts";
import { runArmsComparison, plannedComparison, type Prepared } from "../../../compare/run-compare.ts";
import type { ArmView, CompareAsk, CompareView } from "../../answers/compare.ts";
import type { JobEvent, WorkEnd } from "../../executor.ts";
import { sizeOfRound } from "../../../verdict/arms.ts";
import type { Receipt } from "../../../verdict/receipt.ts";
import { comparisonOf, interimVerdictOf, RoundEvents } from "./comparison-of.ts";
import type { JobWork, RunContext } from "./runner.ts";

export interface Running {
  readonly context: RunContext;
  readonly onEvent: (event: JobEvent) => void;
  readonly signal: AbortSignal;
}

/** An arm settled before an interruption keeps its receipt. */
export async function compareArms(
  work: JobWork<CompareAsk>,
  prepared: Prepared,
  { context, onEvent, signal }: Running,
): Promise<Result<WorkEnd>> {
  const { ports } = context;
  const { arms, attempt, folder, request } = prepared;
  const { pairs, title } = arms;
  const resultOf = (receipt: Receipt) => comparisonOf(receipt, { suite: work.suite, price: ports.price });
  const known = await settledReceipts(folder, pairs.length);
  let views = pairs.map(({ subject, configurations: [, changed] }, index): ArmView => {
    const receipt = known[index] ?? null;
    return {
      title: subject.title,
      label: changed.label,
      state: receipt === null ? "measuring" : "settled",
      looks: [],
      result: receipt === null ? null : resultOf(receipt),
    };
  });
  const show = (change: (view: ArmView, arm: number) => Partial<ArmView> = () => ({})) => {
    views = views.map((view, index) => ({ ...view, ...change(view, index + 1) }));
    const comparison: CompareView = {
      title,
      benchId: request.id,
      attempt,
      looks: [],
      result: null,
      arms: views,
    };
    onEvent({ kind: "comparison", comparison });
  };
  // Reports this attempt first, so that a resumed job continues it.
  show();
  const made = await plannedComparison(prepared, ports);
  if (!made.ok) return made;
  onEvent({ kind: "plan", plan: made.value.plan });
  const settle = async (arm: number, receipt: Receipt): Promise<Result<object>> => {
    const answer = await context.service.ask("comparisonRecord", { receipt: JSON.stringify(receipt) });
    if (!answer.ok) return answer;
    show((_, each) => (each === arm ? { state: "settled", result: resultOf(receipt) } : {}));
    return succeed({});
  };
  // The job may have been interrupted between its last receipt and its end.
  if (known.every((receipt) => receipt !== null)) {
    for (const [index, receipt] of known.entries()) {
      const answer = await settle(index + 1, receipt);
      if (!answer.ok) return answer;
    }
    return succeed({ kind: "done" });
  }
  const rounds = new RoundEvents(onEvent);
  const tasks = work.suite.tasks.filter(({ agent }) => agent === work.ask.agent).length;
  const ofRound = Math.ceil((tasks * sizeOfRound(pairs.length)) / pairs.length);
  const unrecorded: Failure[] = [];
  const measured = await runArmsComparison(made.value.request, ports, signal, {
    onBench: rounds.onProgress,
    onRound: (allProgress) =>
      show(({ looks }, arm) => {
        const own = allProgress.find((each) => each.arm === arm);
        return own === undefined ? {} : { looks: [...looks, interimVerdictOf(own.experiment, ofRound)] };
      }),
    onSettled: async (arm, settled) => {
      const answer = await settle(arm, await keepReceipt(settled, { folder, arm }, randomUUID));
      if (!answer.ok) unrecorded.push(answer);
    },
  });
  if (!measured.ok) return measured;
  const [problem] = unrecorded;
  if (problem !== undefined) return problem;
  const { end, open } = measured.value;
  if (open.length === 0) return succeed({ kind: "done" });
  return succeed(end.kind === "paused" ? rounds.paused(end.detail) : { kind: "cancelled" });
}
