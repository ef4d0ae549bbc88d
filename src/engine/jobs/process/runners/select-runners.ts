import { fail, succeed, type Result } from "../../../base/result.ts";
import { measuresModel } from "../../../bench/run-facts.ts";
import type { BenchPlan } from "../../../bench/plan.ts";
import { defaultModel } from "../../../bench/configuration.ts";
import { ruleText, type Rule } from "../../../rules/rule.ts";
import {
  maxRoundsOfSet,
  mostRounds,
  isTogether,
  type SelectEnd,
  confirmRounds,
} from "../../../rules/selection.ts";
import { confirm } from "../../../verdict/retention.ts";
import { readReceipt } from "../../../verdict/receipt.ts";
import { usualQuestion } from "../../../verdict/verdict.ts";
import type { JobOutline } from "../../bench-answers.ts";
import type { WorkEnd, JobEvent } from "../../executor.ts";
import { comparisonOf, interimVerdictOf, RoundEvents } from "./comparison-of.ts";
import type { JobRunner, JobWork, PlanContext, RunContext } from "./runner.ts";
import {
  chosenRules,
  measureRules,
  passedRules,
  planRounds,
  readKnownRules,
  type KnownRules,
  type RuleMeasurement,
  planRulesPower,
} from "../measure-rules.ts";
import type { RuleProgress, SelectAsk, SelectView, SetProgress } from "../../answers/select.ts";
import { sentence } from "../../../base/language.ts";

type Work = JobWork<SelectAsk>;

/** In the same benches as `purser select`, with the same receipts. Rules that pass wait for the user. */
export function selectRunner(work: Work): JobRunner {
  return {
    // The rules are known only when it starts.
    outline: () => succeed(outlineOf(work, 0)),
    async plan(context) {
      const measurement = measurementOf(work);
      const known = await readKnownRules(measurement, context.service, context);
      if (!known.ok) return known;
      const chosen = rulesOf(known.value, work.ask);
      if (!chosen.ok) return chosen;
      const plan = await planOf(work, chosen.value, context);
      // The receipts show whether the rules were found to save.
      if (isConfirming(work)) return succeed(plan);
      // Recordings cannot predict how soon a model's runs would decide.
      if (!measuresModel(measurement.driver)) return succeed(plan);
      const power = await planRulesPower(
        measurement,
        { ...plan, wanted: chosen.value, known: known.value },
        { service: context.service, now: context.ports.clock.now() },
      );
      return power.ok ? succeed({ ...plan, power: power.value }) : power;
    },
    async run(context, emit, signal) {
      const known = await readKnownRules(work.ask, context.service, { root: context.root, signal });
      if (!known.ok) return known;
      const started = await beginning(work, known.value, context);
      return started.ok ? await select(work, known.value, started.value, { context, emit, signal }) : started;
    },
  };
}

/** With what an earlier start of the job settled. */
async function beginning(work: Work, known: KnownRules, context: RunContext): Promise<Result<SelectView>> {
  const before = work.before.selection;
  if (before === undefined) {
    const chosen = rulesOf(known, work.ask);
    if (!chosen.ok) return chosen;
    const together = isTogether(chosen.value, work.ask);
    return succeed({
      chosenAt: context.ports.clock.now(),
      isTogether: together,
      rules: isConfirming(work) ? [] : chosen.value.map(waiting),
    });
  }
  const rules: RuleProgress[] = [];
  for (const progress of before.rules) {
    const now = known.views.find(({ id }) => id === progress.ruleId);
    // The job may have been interrupted after the ledger recorded a verdict, and before it was reported.
    const newest = now?.receipts.find(({ isDemo }) => isDemo === !measuresModel(work.ask.driver));
    const isReported = newest !== undefined && newest.at >= before.chosenAt;
    if (now === undefined || !isReported || progress.state === "settled") {
      rules.push(progress.state === "settled" ? progress : { ...progress, state: "waiting", looks: [] });
      continue;
    }
    const answer = await context.service.ask("rulesReceipt", { id: newest.id });
    if (!answer.ok) return answer;
    const receipt = readReceipt(answer.value.json ?? "");
    if (!receipt.ok) return receipt;
    const { price } = context.ports;
    const result = comparisonOf(receipt.value, { suite: work.suite, price });
    rules.push({ ...progress, state: "settled", result, status: now.status });
  }
  const { set, ...rest } = before;
  const whole = set?.state === "settled" ? succeed(set) : await setSince(work, known, context);
  if (!whole.ok) return whole;
  return succeed({ ...rest, rules, ...(whole.value === null ? {} : { set: whole.value }) });
}

/** The set recorded before the job was interrupted. Null for none: measuring continues. */
async function setSince(
  work: Work,
  known: KnownRules,
  { service, ports }: RunContext,
): Promise<Result<SetProgress | null>> {
  const { ask, before, suite } = work;
  const { selection } = before;
  const own = known.views.filter(({ id, agent }) =>
    isConfirming(work) ? agent === ask.agent : selection?.rules.some(({ ruleId }) => ruleId === id) === true,
  );
  const id = own.flatMap(({ set }) => set?.receiptId ?? []).at(0);
  if (id === undefined) return succeed(null);
  const answer = await service.ask("rulesReceipt", { id });
  if (!answer.ok) return answer;
  const read = readReceipt(answer.value.json ?? "");
  if (!read.ok) return read;
  const { at, verdict, set = [] } = read.value;
  if (at < (selection?.chosenAt ?? Infinity)) return succeed(null);
  const found = set.filter(({ isFound }) => isFound).map((rule) => rule.id);
  const result = comparisonOf(read.value, { suite, price: ports.price });
  return succeed({ found, state: "settled", looks: [], result, decision: confirm(verdict) });
}

interface Running {
  readonly context: RunContext;
  readonly emit: (event: JobEvent) => void;
  readonly signal: AbortSignal;
}

async function select(
  work: Work,
  known: KnownRules,
  started: SelectView,
  { context, emit, signal }: Running,
): Promise<Result<WorkEnd>> {
  const { ports, service, root } = context;
  const { suite } = work;
  let view = withNext(started);
  const show = (ruleId: string, change: (progress: RuleProgress) => Partial<RuleProgress>) => {
    const next = view.rules.map((each) => (each.ruleId === ruleId ? { ...each, ...change(each) } : each));
    view = withNext({ ...view, rules: next });
    emit({ kind: "selection", selection: view });
  };
  const showSet = (set: SetProgress) => {
    view = { ...view, set };
    emit({ kind: "selection", selection: view });
  };
  emit({ kind: "selection", selection: view });
  if (isConfirming(work) && view.set?.state === "settled") return succeed({ kind: "done" });
  const all = known.rules.filter(({ id }) => view.rules.some(({ ruleId }) => ruleId === id));
  const measurement = measurementOf(work);
  const plan = await planOf(work, all, context);
  emit({ kind: "outline", outline: outlineOf(work, plan.runs) });
  emit({ kind: "plan", plan });
  const settled = view.rules.filter(({ state }) => state === "settled");
  const left = view.rules.filter(({ state }) => state !== "settled").map(({ ruleId }) => ruleId);
  // Rules that share their runs are repeated from the first round, so its tokens count again.
  const spent =
    view.isTogether && left.length > 0
      ? 0
      : settled.reduce((sum, { result }) => sum + (result?.spent.tokens ?? 0), 0);
  const { tokenCap } = measurement;
  const ofRound = 2 * tasksOf(work).length;
  const rounds = new RoundEvents(emit);
  const measured = await measureRules(
    {
      measurement: { ...measurement, tokenCap: tokenCap === null ? null : Math.max(0, tokenCap - spent) },
      known,
      ruleIds: left,
      perRun: plan.expected.perRun,
      isConfirming: isConfirming(work),
    },
    {
      ports,
      service,
      root,
      isActivated: false,
      onBench: rounds.onProgress,
      onProgress: ({ ruleId, experiment }) =>
        show(ruleId, ({ looks }) => ({ looks: [...looks, interimVerdictOf(experiment, ofRound)] })),
      onSetProgress: ({ found, experiment }) => {
        const before = view.set?.state === "measuring" ? view.set.looks : [];
        const looks = [...before, interimVerdictOf(experiment, ofRound)];
        showSet({ found: [...found], state: "measuring", looks, result: null, decision: null });
      },
      onConfirmed: ({ found, decision, receipt, rules }) => {
        for (const { id, status } of rules) show(id, () => ({ status }));
        const result = comparisonOf(receipt, { suite, price: ports.price });
        showSet({ found: [...found], state: "settled", looks: view.set?.looks ?? [], result, decision });
      },
      onLetIn: ({ rule }) => show(rule.id, () => ({ status: rule.status })),
      onSettled: ({ receipt, rule }) =>
        show(rule.id, () => ({
          state: "settled",
          status: rule.status,
          result: comparisonOf(receipt, { suite, price: ports.price }),
        })),
    },
    signal,
  );
  if (!measured.ok) return measured;
  const { set, end } = measured.value;
  if (set?.kind === "unpaid")
    showSet({ found: [...set.found], state: "unpaid", looks: [], result: null, decision: null });
  return succeed(endOf(end, rounds));
}

/** Marks the first unsettled rule as the one being measured, or all that are measured with the same runs. */
function withNext(view: SelectView): SelectView {
  const open = view.rules.filter(({ state }) => state !== "settled");
  const measured = view.isTogether ? open : open.slice(0, 1);
  const rules = view.rules.map((each) =>
    measured.includes(each) ? { ...each, state: "measuring" as const } : each,
  );
  return { ...view, rules };
}

function endOf(end: SelectEnd, rounds: RoundEvents): WorkEnd {
  switch (end.kind) {
    case "paused":
      return rounds.paused(end.detail);
    case "cap": {
      const detail = sentence(
        "what may be spent is spent; {0} rules were not looked at to the end",
        end.left,
      );
      return { kind: "paused", reason: "token-cap", detail };
    }
    case "done":
    case "cancelled":
      return end;
  }
}

function waiting(rule: Rule): RuleProgress {
  const isAudit = rule.status === "active";
  const none = { looks: [], result: null, status: null };
  return { ruleId: rule.id, title: ruleText(rule), isAudit, state: "waiting", ...none };
}

/** Plans the maximum: each rule ends once decided. The smallest saving is that of the runs about one rule. */
async function planOf(
  work: Work,
  rules: readonly Rule[],
  { ports }: Pick<PlanContext, "ports">,
): Promise<BenchPlan> {
  const measurement = measurementOf(work);
  if (isConfirming(work)) return await planRounds(measurement, confirmRounds, ports);
  const highest = mostRounds(rules, measurement);
  const ofSet = maxRoundsOfSet(rules, measurement);
  const all = await planRounds(measurement, highest + ofSet, ports);
  const lowest = isTogether(rules, measurement)
    ? highest
    : Math.min(...rules.map((rule) => mostRounds([rule], measurement)));
  const one = await planRounds(measurement, lowest, ports);
  return { ...all, smallestSaving: one.smallestSaving };
}

function isConfirming({ ask }: Pick<Work, "ask">): boolean {
  return ask.isConfirming === true;
}

function rulesOf(known: KnownRules, ask: SelectAsk): Result<Rule[], "nothing"> {
  if (ask.isConfirming !== true) return chosenRules(known, ask);
  return measuresModel(ask.driver)
    ? passedRules(known, ask.agent)
    : fail("nothing", sentence("a replay confirms no rules: it takes an agent"));
}

function measurementOf({ ask, suite }: Work): RuleMeasurement {
  const { agent, effort, driver, parallel, tokenCap, grade = "worth" } = ask;
  const own = suite.agents.find(({ name }) => name === agent) ?? { model: null };
  const model = ask.model ?? defaultModel(driver, own);
  return { agent, suite, model, effort, driver, parallel, tokenCap, grade };
}

function tasksOf({ ask, suite }: Work) {
  return suite.tasks.filter(({ agent }) => agent === ask.agent);
}

/** Sides belong to single rules, so the whole job has none. */
function outlineOf(work: Work, of: number): JobOutline {
  const tasks = tasksOf(work).map(({ id, agent, title, weight, hash }) => ({
    id,
    agent,
    title,
    weight,
    hash,
  }));
  return { rounds: usualQuestion("candidate", 0, null).maxRounds, sides: [], tasks, of };
}
