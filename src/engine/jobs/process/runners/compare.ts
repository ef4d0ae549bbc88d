import { sentence } from "../../../base/language.ts";
import { randomUUID } from "node:crypto";
import { succeed, type Result } from "../../../base/result.ts";
import { measuresModel } from "../../../bench/run-facts.ts";
import { defaultModel, configurationHash, currentConfiguration } from "../../../bench/configuration.ts";
import { suiteHash } from "../../../bench/suite.ts";
import { changedArms } from "../../../compare/compare-change.ts";
import { settledReceipts, writeReceipt } from "../../../compare/compare-outcome.ts";
import {
  type Prepared,
  type ComparisonInput,
  prepareComparison,
  plannedComparison,
  comparisonPower,
  runComparison,
} from "../../../compare/run-compare.ts";
import { sizeOfRound } from "../../../verdict/arms.ts";
import type { Receipt } from "../../../verdict/receipt.ts";
import { usualQuestion } from "../../../verdict/verdict.ts";
import type { JobOutline } from "../../bench-answers.ts";
import type { WorkEnd } from "../../executor.ts";
import type { CompareAsk, CompareView } from "../../answers/compare.ts";
import { compareArms, type Running } from "./compare-arms.ts";
import { comparisonOf, interimVerdictOf, RoundEvents } from "./comparison-of.ts";
import type { JobRunner, JobWork } from "./runner.ts";

type Work = JobWork<CompareAsk>;

/** In the same benches as `purser compare`, with the same receipts. */
export function compareRunner(work: Work): JobRunner {
  const input = inputOf(work);
  return {
    outline: () => outlineOf(work, input),
    async plan({ ports }) {
      const prepared = await prepareComparison(input, ports);
      if (!prepared.ok) return prepared;
      const made = await plannedComparison(prepared.value, ports);
      if (!made.ok) return made;
      const { plan, request } = made.value;
      // Recordings cannot predict how soon a model's runs would decide.
      if (!measuresModel(request.driver)) return succeed(plan);
      const { suite, base, rounds } = request;
      const changes = prepared.value.arms.pairs.length;
      const weights = suite.tasks.flatMap((task) => (task.agent === base.agent ? [task.weight] : []));
      return succeed({ ...plan, power: comparisonPower({ weights, rounds, changes }, plan.expected) });
    },
    async run(context, emit, signal) {
      const prepared = await prepareComparison(input, context.ports);
      if (!prepared.ok) return prepared;
      const isOne = prepared.value.arms.pairs.length === 1;
      const running = { context, onEvent: emit, signal };
      return await (isOne ? compare : compareArms)(work, prepared.value, running);
    },
  };
}

async function compare(
  work: Work,
  prepared: Prepared,
  { context, onEvent, signal }: Running,
): Promise<Result<WorkEnd>> {
  const { ports } = context;
  const { arms, attempt, folder, request } = prepared;
  let view: CompareView = {
    title: arms.title,
    benchId: request.id,
    attempt,
    looks: work.before.comparison?.looks ?? [],
    result: null,
  };
  const show = (changed: Partial<CompareView>) => {
    view = { ...view, ...changed };
    onEvent({ kind: "comparison", comparison: view });
  };
  // Reports this attempt first, so that a resumed job continues it.
  show({});
  const made = await plannedComparison(prepared, ports);
  if (!made.ok) return made;
  onEvent({ kind: "plan", plan: made.value.plan });
  const settle = async (receipt: Receipt): Promise<Result<WorkEnd>> => {
    const answer = await context.service.ask("comparisonRecord", { receipt: JSON.stringify(receipt) });
    if (!answer.ok) return answer;
    show({ result: comparisonOf(receipt, { suite: work.suite, price: ports.price }) });
    return succeed({ kind: "done" });
  };
  // The job may have been interrupted between its receipt and its end.
  const [known] = await settledReceipts(folder, 1);
  if (known !== null && known !== undefined) return await settle(known);
  show({ looks: [] });
  const rounds = new RoundEvents(onEvent);
  const ofRound = 2 * tasksOf(work).length;
  const measured = await runComparison(made.value.request, ports, signal, {
    onBench: rounds.onProgress,
    onRound: (progress) => show({ looks: [...view.looks, interimVerdictOf(progress, ofRound)] }),
  });
  if (!measured.ok) return measured;
  const { settled, end } = measured.value;
  if (settled !== null) {
    await writeReceipt(settled, folder, randomUUID);
    return await settle(settled.receipt);
  }
  return succeed(end.kind === "paused" ? rounds.paused(end.detail) : { kind: "cancelled" });
}

function inputOf({ ask, suite, memories, before }: Work): ComparisonInput {
  const { agent, change, others = [], shared, driver, parallel, tokenCap, rounds, effort } = ask;
  const own = suite.agents.find(({ name }) => name === agent) ?? { model: null };
  const model = ask.model ?? defaultModel(driver, own);
  const base = currentConfiguration({ agent, model, effort, memory: memories[agent] ?? null });
  return {
    suite,
    driver,
    change,
    others,
    shared,
    parallel,
    tokenCap,
    rounds,
    base: { ...base, label: sentence("unchanged") },
    seed: null,
    attempt: before.comparison?.attempt ?? null,
  };
}

function tasksOf({ ask, suite }: Work) {
  return suite.tasks.filter(({ agent }) => agent === ask.agent);
}

function outlineOf(work: Work, { base, change, others, shared }: ComparisonInput): Result<JobOutline> {
  const arms = changedArms({ ...base, overlay: [...shared] }, change, others);
  if (!arms.ok) return arms;
  const tasks = tasksOf(work).map(({ id, agent, title, weight, hash }) => ({
    id,
    agent,
    title,
    weight,
    hash,
  }));
  const rounds = work.ask.rounds ?? usualQuestion("comparison", 0, null).maxRounds;
  return succeed({
    rounds,
    tasks,
    of: Math.round(rounds * tasks.length * sizeOfRound(arms.value.pairs.length)),
    sides: arms.value.bench.configurations.map((side) => {
      const { label, agent, model, role } = side;
      return {
        label,
        agent,
        model,
        role,
        hash: configurationHash(side),
        suiteHash: suiteHash(work.suite, agent),
      };
    }),
  });
}
