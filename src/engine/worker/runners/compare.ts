import { randomUUID } from "node:crypto";
import { succeed, type Result } from "../../base/result.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { currentConfiguration } from "../../bench/current-configuration.ts";
import { configurationHash } from "../../bench/configuration.ts";
import { suiteHash } from "../../bench/suite/suite.ts";
import { defaultModel } from "../../bench/default-model.ts";
import { settledReceipt, writeReceipt } from "../../compare/attempt.ts";
import { changedPair } from "../../compare/change.ts";
import {
  plannedComparison,
  prepareComparison,
  type AskedComparison,
  type Prepared,
} from "../../compare/prepare.ts";
import { comparisonPower } from "../../compare/decision-chances.ts";
import { runComparison } from "../../compare/run.ts";
import type { Receipt } from "../../verdict/receipt/receipt.ts";
import { usualQuestion } from "../../verdict/usual-question.ts";
import type { JobOutline } from "../../jobs/answers/bench.ts";
import type { WorkEnd, JobEvent } from "../../jobs/executor.ts";
import type { CompareAsk, CompareView } from "../../jobs/answers/compare.ts";
import { comparisonOf, interimVerdictOf, RoundEvents } from "./comparison-of.ts";
import type { JobRunner, JobWork, RunContext } from "./runner.ts";

type Work = JobWork<CompareAsk>;

/** A comparison, as `purser compare` runs it: in the same benches, with the same receipts. */
export function compareRunner(work: Work): JobRunner {
  const asked = askedOf(work);
  return {
    outline: () => outlineOf(work, asked),
    async plan({ ports }) {
      const prepared = await prepareComparison(asked, ports);
      if (!prepared.ok) return prepared;
      const made = await plannedComparison(prepared.value, ports);
      if (!made.ok) return made;
      const { plan, request } = made.value;
      // Recordings say nothing about how soon a model's runs would decide.
      if (!measuresModel(request.driver)) return succeed(plan);
      const { suite, base, rounds } = request;
      const weights = suite.tasks.flatMap((task) => (task.agent === base.agent ? [task.weight] : []));
      return succeed({ ...plan, power: comparisonPower({ weights, rounds }, plan.expected) });
    },
    async run(context, emit, signal) {
      const prepared = await prepareComparison(asked, context.ports);
      return prepared.ok ? await compare(work, prepared.value, { context, onEvent: emit, signal }) : prepared;
    },
  };
}

interface Running {
  readonly context: RunContext;
  readonly onEvent: (event: JobEvent) => void;
  readonly signal: AbortSignal;
}

async function compare(
  work: Work,
  prepared: Prepared,
  { context, onEvent, signal }: Running,
): Promise<Result<WorkEnd>> {
  const { ports } = context;
  const { pair, attempt, folder, request } = prepared;
  let view: CompareView = {
    title: pair.subject.title,
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
  const known = await settledReceipt(folder);
  if (known !== null) return await settle(known);
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

function askedOf({ ask, suite, memories, before }: Work): AskedComparison {
  const { agent, change, shared, driver, parallel, tokenCap, rounds, effort } = ask;
  const own = suite.agents.find(({ name }) => name === agent) ?? { model: null };
  const model = ask.model ?? defaultModel(driver, own);
  const base = currentConfiguration({ agent, model, effort, memory: memories[agent] ?? null });
  return {
    suite,
    driver,
    change,
    shared,
    parallel,
    tokenCap,
    rounds,
    base: { ...base, label: "as it is" },
    seed: null,
    attempt: before.comparison?.attempt ?? null,
  };
}

function tasksOf({ ask, suite }: Work) {
  return suite.tasks.filter(({ agent }) => agent === ask.agent);
}

function outlineOf(work: Work, { base, change, shared }: AskedComparison): Result<JobOutline> {
  const pair = changedPair({ ...base, overlay: [...shared] }, change);
  if (!pair.ok) return pair;
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
    of: rounds * tasks.length * 2,
    sides: pair.value.configurations.map((side) => {
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
