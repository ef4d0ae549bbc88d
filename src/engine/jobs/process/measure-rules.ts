import { fail, succeed, type Result } from "../../base/result.ts";
import { withMemory } from "../../bench/configuration.ts";
import type { BenchPorts, BenchRequest, OnProgress, PlanPorts, Shard } from "../../bench/bench-request.ts";
import { type DriverName, measuresModel } from "../../bench/run-facts.ts";
import type { BenchPlan } from "../../bench/plan.ts";
import { planBench } from "../../bench/execute.ts";
import type { Suite } from "../../bench/suite.ts";
import {
  selectRules,
  rulesToMeasure,
  firstRounds,
  type SelectOutcome,
  type SelectPorts,
  type SelectRequest,
  maxRoundsOfSet,
} from "../../rules/selection.ts";
import type { Rule, RuleStatus } from "../../rules/rule.ts";
import { benchRounds, priceOfRuns } from "../../verdict/measure-pair.ts";
import type { Evidence } from "../../verdict/evidence.ts";
import type { Receipt } from "../../verdict/receipt.ts";
import { groupFile, isInterrupted, setPorts, type SetContext } from "./set-ports.ts";
import { ruleOfView } from "./run-recorder.ts";
import type { Requester } from "../all-requests.ts";
import type { RuleView } from "../../rules/rules-answers.ts";
import { plainSentence, sentence, type Sentence } from "../../base/language.ts";
import { rentFactor } from "../../rules/rent.ts";
import type { Use } from "../../verdict/worth.ts";
import { type PowerPlan, planPower, type RecentSessions } from "../../verdict/power.ts";
import { maxWorkSessions, workNoise } from "../../rules/trial.ts";

export interface RuleMeasurement {
  readonly agent: string;
  readonly suite: Suite;
  readonly model: string;
  readonly effort: string | null;
  readonly driver: DriverName;
  readonly parallel: number;
  /** Processing tokens of the whole selection; null for no limit. */
  readonly tokenCap: number | null;
  /** For an order chosen by a person: its seed, and the rounds before the first look. */
  readonly draw?: Drawn | null;
  /** `worth` by default: rules are measured as long as that is expected to pay. */
  readonly grade?: "worth" | "proved";
}

export interface Drawn {
  readonly seed: number;
  /** Null for half of the planned rounds. */
  readonly rounds: number | null;
}

export interface KnownRules {
  readonly views: readonly RuleView[];
  readonly rules: readonly Rule[];
  readonly evidence: readonly Evidence[];
}

/** `root`: Claude Code's configuration folder. */
export async function readKnownRules(
  { agent }: Pick<RuleMeasurement, "agent">,
  service: Requester<"rulesRead" | "rulesEvidence">,
  { root, signal }: { readonly root: string; readonly signal?: AbortSignal },
): Promise<Result<KnownRules>> {
  const read = await service.ask("rulesRead", { root }, signal);
  if (!read.ok) return read;
  const evidence = await service.ask("rulesEvidence", { agent });
  if (!evidence.ok) return evidence;
  const views = read.value.view.rules;
  return succeed({ views, rules: views.map(ruleOfView), evidence: evidence.value.evidence });
}

/** Named rules, or the waiting ones and some active ones. */
export type WantedRules = Pick<SelectRequest, "agent" | "ruleIds" | "audits">;

/** In order. Fails when there are none. */
export function chosenRules(
  { rules }: Pick<KnownRules, "rules">,
  { agent, ...which }: WantedRules,
): Result<Rule[], "nothing"> {
  const wanted = rulesToMeasure({ rules, agent, ...which });
  return wanted.length > 0
    ? succeed(wanted)
    : fail(
        "nothing",
        sentence("{0} has no rule to measure; purser rules approve ID lets one be measured", agent),
      );
}

/** Passed rules that wait for the user, to be confirmed as a whole. Fails when there are fewer than two. */
export function passedRules({ rules }: Pick<KnownRules, "rules">, agent: string): Result<Rule[], "nothing"> {
  const passed = rules.filter((rule) => rule.agent === agent && rule.status === "measured");
  return passed.length > 1
    ? succeed(passed)
    : fail(
        "nothing",
        sentence(
          "fewer than two rules of {0} have passed and wait to be let in; the receipt of a single one is its own",
          agent,
        ),
      );
}

/** For one rule. */
export async function planRounds(
  measurement: RuleMeasurement,
  rounds: number,
  ports: PlanPorts,
): Promise<BenchPlan> {
  const { agent, model, effort } = measurement;
  const own = { agent, model, effort };
  // The two sides differ from rule to rule, but the number of runs does not.
  const configurations = [
    withMemory(own, { label: plainSentence("without"), text: null }),
    withMemory(own, { label: plainSentence("with"), text: "- A rule.\n" }),
  ];
  return await planBench({ ...benchOf(measurement, "plan", rounds), configurations }, ports);
}

interface RulesInput {
  readonly measurement: RuleMeasurement;
  readonly known: KnownRules;
  /** In order of measurement. */
  readonly ruleIds: readonly string[];
  readonly perRun: number | null;
  /** Only confirms the passed and waiting rules as a whole. */
  readonly isConfirming?: boolean;
  /** How often the rules would be used. Null if unknown. */
  readonly use?: Use | null;
}

export function isToConfirm(
  asked: Pick<RulesInput, "measurement" | "known">,
  ports: Pick<BenchPorts, "folder" | "unique">,
): Promise<boolean> {
  const { id } = requestOf({ ...asked, ruleIds: [], perRun: null });
  return isInterrupted({ name: id, disk: ports, views: asked.known.views });
}

function requestOf({
  measurement,
  known,
  ruleIds,
  perRun,
  use = null,
  isConfirming = false,
}: RulesInput): SelectRequest {
  const { agent, suite, model, effort, driver, tokenCap, draw = null } = measurement;
  const drawn = draw === null ? "" : `.s${draw.seed}`;
  return {
    id: `select-${agent}-${driver}${drawn}`,
    agent,
    suite,
    rules: known.rules,
    ruleIds,
    audits: "all",
    model,
    effort,
    driver,
    seed: seedOf(measurement),
    draw,
    tokenCap,
    evidence: known.evidence,
    tokensPerRun: driver === "replay" ? null : perRun,
    isConfirming,
    use,
    // The parts of a drawn order are planned before anything is known.
    grade: draw === null && use !== null ? (measurement.grade ?? "worth") : "proved",
  };
}

/** Until the next model, where nothing else is known: models were replaced after about five months. */
const usualWeeks = 20;
/** Sessions a week of an agent whose sessions the ledger does not know. */
const usualSessions = 25;

/** Returns how often a rule of the agent would be used, by its sessions of the last weeks. A session counts as large as a run. */
async function useOf(
  { agent, driver }: Pick<RuleMeasurement, "agent" | "driver">,
  perRun: number | null,
  { service, now }: { readonly service: Requester<"useCounts">; readonly now: number },
): Promise<Result<Use | null>> {
  if (perRun === null || perRun <= 0 || !measuresModel(driver)) return succeed(null);
  const counted = await service.ask("useCounts", { asked: now - recentDays * dayMs });
  if (!counted.ok) return counted;
  const { sessions, subagents } = counted.value.answer;
  const own =
    agent === "main"
      ? sessions.filter(({ name }) => name === "claude-code")
      : subagents.filter(({ name }) => name === agent);
  const count = own.reduce((sum, each) => sum + each.count, 0);
  const perWeek = count === 0 ? usualSessions : (7 * count) / recentDays;
  return succeed({ perWeek, weeks: usualWeeks, tokensPerSession: perRun });
}

function seedOf({ draw }: RuleMeasurement): number {
  return draw?.seed ?? 1;
}

/** A machine's part of the rounds before the first look. Machines with the same rules, seed and rounds make parts of the same bench. */
export function partOfRules(
  asked: Omit<RulesInput, "perRun">,
  shard: Shard,
): { readonly bench: BenchRequest; readonly rules: readonly Rule[] } | null {
  const request = requestOf({ ...asked, perRun: null });
  const first = firstRounds(request, rulesToMeasure(request));
  if (first === null) return null;
  const { benchId, rounds, rules, ...sides } = first;
  return { bench: { ...benchOf(asked.measurement, benchId, rounds), ...sides, shard }, rules };
}

interface MeasuringPorts
  extends Pick<SelectPorts, "onProgress">, Pick<SetContext, "onConfirmed" | "onLetIn"> {
  readonly ports: BenchPorts;
  readonly service: Requester<"rulesMeasured" | "useCounts"> & SetContext["service"];
  /** Claude Code's configuration folder. */
  readonly root: string;
  /** Rules that pass go into the agent's memory without asking. */
  readonly isActivated: boolean;
  readonly onBench: OnProgress;
  readonly onSetProgress: SetContext["onProgress"];
  /** `memory` is why the agent's memory was not written. */
  readonly onSettled: (settled: {
    readonly receipt: Receipt;
    readonly rule: { readonly id: string; readonly status: RuleStatus };
    readonly memory: Sentence | null;
  }) => void;
}

/**
 * One after the other; each verdict is reported before the next rule starts. Terminals and the service use the same benches: each resumes what the
 * other left interrupted.
 */
export async function measureRules(
  asked: RulesInput,
  measuring: MeasuringPorts,
  signal: AbortSignal,
): Promise<Result<SelectOutcome>> {
  const { measurement, known } = asked;
  const { ports, service, root, isActivated, onBench, onProgress, onSettled } = measuring;
  const use = await useOf(measurement, asked.perRun, { service, now: ports.clock.now() });
  if (!use.ok) return use;
  const request = requestOf({ ...asked, use: use.value });
  const rents = new Map(known.views.map(({ id, rent }) => [id, rent.total]));
  // A verdict that could not be recorded ends the selection: the next rule would be measured with a wrong set
  // of active rules.
  const stop = new AbortController();
  const lost: Sentence[] = [];
  const onLost = (detail: Sentence) => {
    lost.push(detail);
    stop.abort();
  };
  const { views } = known;
  const sets = setPorts({
    ...measuring,
    name: request.id,
    disk: ports,
    views,
    onProgress: measuring.onSetProgress,
    onLost,
  });
  const outcome = await selectRules(
    request,
    {
      round: ({ benchId, ...sides }, number, ended) =>
        benchRounds({ ...benchOf(measurement, benchId, number), ...sides }, ports, onBench)(number, ended),
      group: groupFile(request.id, ports),
      rent: ({ id, rent }) => rents.get(id) ?? rent,
      now: () => ports.clock.now(),
      price: (runs) => priceOfRuns(runs, ports.price),
      onProgress,
      sets,
      settle: async ({ rule, receipt, evidence }) => {
        const measured = { ruleId: rule.id, receipt: JSON.stringify(receipt), evidence, root };
        const isHeld = (receipt.together ?? []).length > 0;
        const done = await service.ask("rulesMeasured", { ...measured, isActivated, isHeld });
        if (!done.ok) {
          onLost(sentence("the verdict on {id} is not kept: {why}", { id: rule.id, why: done.detail }));
          return rule;
        }
        onSettled({ receipt, rule: done.value.rule, memory: done.value.memory });
        return ruleOfView(done.value.rule);
      },
    },
    AbortSignal.any([signal, stop.signal]),
  );
  const [detail] = lost;
  return detail === undefined ? succeed(outcome) : fail("not_kept", detail);
}

function benchOf(
  measurement: RuleMeasurement,
  id: string,
  runs: number,
): Omit<BenchRequest, "configurations"> {
  const { suite, agent, driver, parallel, tokenCap } = measurement;
  const taskIds = suite.tasks.filter((task) => task.agent === agent).map((task) => task.id);
  return { id, suite, taskIds, runs, driver, seed: seedOf(measurement), parallel, tokenCap, shard: null };
}

/** Period for estimating sessions per day. */
const recentDays = 28;
const dayMs = 86_400_000;

/** No transcript records how a session was started, and a subagent is not a separate session, so only those of `main` are known. */
export async function recentSessions(
  agent: string,
  { service, now }: { readonly service: Requester<"useCounts" | "recentWork">; readonly now: number },
): Promise<Result<RecentSessions>> {
  if (agent !== "main") return succeed({ count: 0, days: recentDays, noise: null });
  const counted = await service.ask("useCounts", { asked: now - recentDays * dayMs });
  if (!counted.ok) return counted;
  const own = counted.value.answer.sessions.filter(({ name }) => name === "claude-code");
  const work = await service.ask("recentWork", { asked: maxWorkSessions });
  if (!work.ok) return work;
  return succeed({
    count: own.reduce((sum, { count }) => sum + count, 0),
    days: recentDays,
    noise: workNoise(work.value.answer),
  });
}

export async function planRulesPower(
  { agent, suite, driver }: Pick<RuleMeasurement, "agent" | "suite" | "driver">,
  {
    wanted,
    known,
    expected,
    usd,
    runs,
  }: Pick<BenchPlan, "expected" | "usd" | "runs"> & { wanted: readonly Rule[]; known: KnownRules },
  { service, now }: { readonly service: Requester<"useCounts" | "recentWork">; readonly now: number },
): Promise<Result<PowerPlan>> {
  const sessions = await recentSessions(agent, { service, now });
  if (!sessions.ok) return sessions;
  const tasks = suite.tasks.filter((task) => task.agent === agent);
  const use = await useOf({ agent, driver }, expected.perRun, { service, now });
  if (!use.ok) return use;
  const rents = new Map(known.views.map(({ id, rent }) => [id, rent.total]));
  const candidates = wanted.filter(({ status }) => status !== "active");
  const toMeasure = candidates.length > 0 ? candidates : wanted;
  const rent = toMeasure.reduce((sum, rule) => sum + (rents.get(rule.id) ?? rule.rent), 0) / toMeasure.length;
  return succeed(
    planPower({
      kind: candidates.length > 0 ? "candidate" : "re-audit",
      rules: wanted.length,
      canShare: measuresModel(driver),
      expected,
      weights: tasks.map(({ weight }) => weight),
      bar: rentFactor * rent,
      rounds: null,
      roundsOfSet: maxRoundsOfSet(wanted, { driver }),
      use: candidates.length > 0 ? use.value : null,
      usdOfRound: usd === null || runs === 0 ? null : (usd / runs) * 2 * tasks.length,
      // An active rule is in every session's memory already.
      sessions: candidates.length > 0 ? sessions.value : null,
    }),
  );
}
