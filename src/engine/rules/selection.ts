import { type Rule, ruleText } from "./rule.ts";
import type {
  RuleBench,
  SelectRequest,
  SelectEnd,
  SelectOutcome,
  SelectPorts,
  SettledRule,
} from "./rules-selection.ts";
import { beginGroup, leftOf, type RuleGroup } from "./together/group.ts";
import { batchesOf, firstLookOf, kindOf, lookedFirst, maxRoundsOfSet } from "./together/batches.ts";
import { benchOfRound, keyOf, measuredWith, measureGroup } from "./together/measure-together.ts";
import { plainSentence, sentence, type Sentence } from "../base/language.ts";
import { sum } from "../base/numbers.ts";
import { measuresModel, type ConfigurationRole } from "../bench/run-facts.ts";
import { suiteHash, type Suite } from "../bench/suite.ts";
import { type ExperimentEnd, measurePair } from "../verdict/measure-pair.ts";
import { usualQuestion } from "../verdict/verdict.ts";
import { selectionOrder } from "./action.ts";
import { rentFactor } from "./rent.ts";
import { Found } from "./together/confirm-set.ts";
import { expectationAfter, worthOf } from "./together/worth-of-rules.ts";
import { usualConfirmRounds, type SetOutcome } from "./together/set.ts";
import { type Configuration, configurationHash, currentConfiguration } from "../bench/configuration.ts";
import { compileMemory } from "./memory-text.ts";
import type { Evidence } from "../verdict/evidence.ts";

export type { SelectEnd, SelectOutcome, SelectPorts, SelectRequest, SetPorts } from "./rules-selection.ts";
export { storedGroup, type GroupStore } from "./together/group.ts";
export { isTogether, mostRounds, maxRoundsOfSet } from "./together/batches.ts";
export {
  confirmRounds,
  foundRules,
  type FoundStore,
  type SetOutcome,
  type SettledSet,
} from "./together/set.ts";

interface FirstRounds extends RuleBench {
  readonly rounds: number;
  readonly rules: readonly Rule[];
}

/**
 * Returns the rounds that a selection with a seed makes before its first look. They are the same on every
 * machine with the same rules, so each machine can make a part. Null without a rule to measure.
 */
export function firstRounds(request: SelectRequest, wanted: readonly Rule[]): FirstRounds | null {
  const [batch = []] = batchesOf(wanted, request);
  const [rule, another] = batch;
  if (rule === undefined) return null;
  const rounds = firstLookOf(batch, request) ?? 1;
  if (another === undefined)
    return { ...pairOf({ request, rule, rules: request.rules }), rounds, rules: batch };
  const group = beginGroup({
    ...request,
    name: request.id,
    key: keyOf(request),
    wanted: batch,
    // Neither decides about a run.
    at: 0,
    bar: () => 0,
    affordable: null,
    firstLook: rounds,
  });
  const plan = { round: 1, open: batch.map(({ id }) => id), kept: [] };
  const { bench } = benchOfRound({ request, group, rules: request.rules }, plan, `${group.id}.1`);
  return { ...bench, rounds, rules: batch };
}

export function rulesToMeasure({
  rules,
  agent,
  ruleIds,
  audits,
}: Pick<SelectRequest, "rules" | "agent" | "ruleIds" | "audits">): Rule[] {
  const all = selectionOrder(rules, agent);
  if (ruleIds !== null) return all.filter(({ id }) => ruleIds.includes(id));
  const [waiting, active] = [all.filter(isApproved), all.filter((rule) => !isApproved(rule))];
  return [...waiting, ...(audits === "all" ? active : active.slice(0, audits))];
}

function isApproved({ status }: Rule): boolean {
  return status === "approved";
}

/**
 * Measures an agent's rules together with the active ones: two or more with the same runs, a single one with
 * and without it. A replay has recordings of single rules only.
 */
export async function selectRules(
  request: SelectRequest,
  ports: SelectPorts,
  signal: AbortSignal,
): Promise<SelectOutcome> {
  const wanted = rulesToMeasure(request);
  const key = keyOf(request);
  const stored = measuresModel(request.driver) ? await ports.group.load() : null;
  const left = stored === null ? null : leftOf(stored, { ...request, key, wanted });
  const resumed = left === null ? null : stored;
  const isInGroup = ({ id }: Rule) => left?.includes(id) === true;
  const batches = [
    wanted.filter(isInGroup),
    ...batchesOf(
      wanted.filter((rule) => !isInGroup(rule)),
      request,
    ),
  ];
  const settled: SettledRule[] = [];
  let rules = request.rules;
  let tokensSpent = 0;
  let set: SetOutcome | null = null;
  const endAs = (end: SelectEnd): SelectOutcome => ({ end, settled, set, tokensSpent });
  const { sets } = ports;
  const found = sets === undefined ? null : await Found.open(request, sets);
  const settle: SelectPorts["settle"] = async (done) => {
    settled.push(done);
    // Confirming rules that are only worth having would take more than it is expected to save.
    if (request.grade !== "worth") await found?.add(done);
    const now = await ports.settle(done);
    rules = rules.map((each) => (each.id === now.id ? now : each));
    return now;
  };
  const turnNow = (): Turn => {
    const runs = sum(
      settled.map(({ receipt: { spent, together = [] } }) => spent.runs / (together.length + 1)),
    );
    // Its own runs estimate better than the expectation.
    const perRun = runs === 0 ? request.tokensPerRun : tokensSpent / runs;
    return {
      request,
      rules,
      room: request.tokenCap === null ? null : request.tokenCap - tokensSpent,
      ofRound: perRun === null ? null : perRun * 2 * tasksOf(request).length,
    };
  };
  const confirmFound = async (): Promise<ExperimentEnd> => {
    if (found === null || sets === undefined) return { kind: "finished" };
    const confirmed = await found.confirm(turnNow(), { ...ports, sets }, signal);
    tokensSpent += confirmed.tokensSpent;
    set = confirmed.set ?? set;
    return confirmed.end;
  };
  // An earlier selection was interrupted before its found rules were confirmed.
  if (resumed === null) {
    const end = await confirmFound();
    if (end.kind !== "finished") return endAs(end);
  }
  for (const [index, batch] of batches.entries()) {
    const [rule] = batch;
    if (rule === undefined) continue;
    if (signal.aborted) return endAs({ kind: "cancelled" });
    const turn = turnNow();
    if (turn.room !== null && turn.room < (turn.ofRound ?? 1)) {
      await confirmFound();
      return endAs({ kind: "cap", left: batches.slice(index).flat().length });
    }
    const isResumed = index === 0 && resumed !== null;
    const { end, tokensSpent: spent } =
      isResumed || batch.length > 1
        ? await measureTogether(
            { ...turn, batch, resumed: isResumed ? resumed : null },
            { ...ports, settle },
            signal,
          )
        : await measureAlone(
            { ...turn, rule, place: wanted.indexOf(rule) + 1, of: wanted.length },
            { ...ports, settle },
            signal,
          );
    tokensSpent += spent;
    if (end.kind !== "finished") return endAs(end);
  }
  const end = await confirmFound();
  return endAs(end.kind === "finished" ? { kind: "done" } : end);
}

interface Turn {
  readonly request: SelectRequest;
  readonly rules: readonly Rule[];
  /** Processing tokens that may be spent; null for no cap. */
  readonly room: number | null;
  /** Expected tokens of one round. */
  readonly ofRound: number | null;
}

interface Measured {
  readonly end: ExperimentEnd;
  readonly tokensSpent: number;
}

async function measureTogether(
  turn: Turn & { readonly batch: readonly Rule[]; readonly resumed: RuleGroup | null },
  ports: SelectPorts,
  signal: AbortSignal,
): Promise<Measured> {
  const { request, batch, resumed } = turn;
  const { ofRound } = turn;
  const room = roomToMeasure(turn);
  const affordable = room === null || ofRound === null ? null : room / ofRound;
  const about = {
    name: request.id,
    key: keyOf(request),
    wanted: batch,
    at: ports.now(),
    affordable,
    firstLook: firstLookOf(batch, request),
  };
  const bar = (rule: Rule) => rentFactor * ports.rent(rule);
  const group = resumed ?? beginGroup({ ...request, ...about, bar, rules: turn.rules });
  if (resumed === null) await ports.group.save(group);
  const outcome = await measureGroup({ ...turn, room, group }, ports, signal);
  if (outcome.end.kind === "finished") await ports.group.save(null);
  return outcome;
}

/** Sets aside what confirming the found rules is expected to take: a confirmation that nobody pays for is none. */
function roomToMeasure({
  request,
  batch,
  room,
  ofRound,
}: Turn & { readonly batch: readonly Rule[] }): number | null {
  // The first rounds of a drawn order are as many as a person asked for.
  const isDrawn = request.draw !== undefined && request.draw !== null;
  const isConfirmed = request.grade !== "worth" && !isDrawn && maxRoundsOfSet(batch, request) > 0;
  if (room === null || ofRound === null || !isConfirmed) return room;
  // A budget that hardly pays for measuring them is not divided.
  return Math.max(room - usualConfirmRounds * ofRound, room / 2);
}

async function measureAlone(
  turn: Turn & { readonly rule: Rule; readonly place: number; readonly of: number },
  ports: SelectPorts,
  signal: AbortSignal,
): Promise<Measured> {
  const { request, rule, place, of } = turn;
  const { suite, agent, driver, seed, evidence } = request;
  const pair = pairOf(turn);
  let rounds = 0;
  const usual = usualQuestion(kindOf(rule), rentFactor * ports.rent(rule), turn.room);
  const question = lookedFirst(usual, firstLookOf([rule], request));
  const worth = worthOf(request, [rule], ports);
  const { end, tokensSpent, settled } = await measurePair(
    {
      id: pair.benchId,
      configurations: pair.configurations,
      suite,
      driver,
      seed,
      evidence,
      subject: { kind: "rule", id: rule.id, title: plainSentence(ruleText(rule)) },
      // The same question as in `npm run bench -- verdicts-lives`, so that its simulated figures describe this procedure.
      question,
      // A re-audit is also judged with all evidence. Each adds at least one round, and the error rate covers
      // all looks.
      key: {
        ruleId: rule.id,
        suiteHash: suiteHash(suite, agent),
        model: measuredWith(request),
        driver,
        beside: pair.beside,
      },
      tokensPerRound: turn.ofRound,
      isEnough: (samples, tokensOfRound) => {
        worth.see([{ id: rule.id, samples }]);
        const left = question.maxRounds - rounds;
        return kindOf(rule) === "candidate" && worth.isEnough([rule.id], { tokensOfRound, maxRounds: left });
      },
      expect: (measured, samples) => {
        worth.see([{ id: rule.id, samples }]);
        return expectationAfter(worth, { request, rule, ...measured }, ports) ?? undefined;
      },
    },
    {
      round: (number, stop) => {
        rounds = number;
        return ports.round(pair, number, stop);
      },
      onProgress: (experiment) => ports.onProgress({ ruleId: rule.id, place, of, experiment }),
      now: ports.now,
      price: ports.price,
    },
    signal,
  );
  if (settled !== null) await ports.settle({ rule, ...settled });
  return { end, tokensSpent };
}

function tasksOf({ suite, agent }: SelectRequest): Suite["tasks"] {
  return suite.tasks.filter((task) => task.agent === agent);
}

interface RulePair extends RuleBench {
  /** Ids of the other rules that both sides have, sorted. */
  readonly beside: readonly string[];
  readonly configurations: readonly [Configuration, Configuration];
}

interface RuleTurn {
  readonly request: {
    readonly id: string;
    readonly agent: string;
    readonly model: string;
    readonly effort?: string | null;
    readonly evidence: readonly Evidence[];
  };
  readonly rule: Rule;
  readonly rules: readonly Rule[];
}

/** Side 0 is without the rule, side 1 with it; everything else is equal. */
function pairOf({ request, rule, rules }: RuleTurn): RulePair {
  const others = rules.filter(
    ({ agent, status, id }) => agent === request.agent && status === "active" && id !== rule.id,
  );
  const { agent, model, effort = null } = request;
  const side = (label: Sentence, active: readonly Rule[], role: ConfigurationRole): Configuration => {
    const { text } = compileMemory(active, "0");
    const own = currentConfiguration({ agent, model, effort, memory: text === "" ? null : { label, text } });
    // With another effort it is not the agent as configured, whatever its rules.
    return { ...own, label, role: role === "active" ? own.role : role };
  };
  const isAudit = rule.status === "active";
  // The rule under test must never be the one left out of the memory for lack of room.
  const tested: Rule = { ...rule, status: "active", saving: Number.MAX_SAFE_INTEGER };
  const configurations = [
    // A candidate is compared with the agent as it is, an active rule with a configuration that never existed.
    side(sentence("without the rule"), others, isAudit ? "audit" : "active"),
    side(sentence("with the rule"), [...others, tested], isAudit ? "audit" : "candidate"),
  ] as const;
  const [without, withIt] = configurations.map(configurationHash);
  // The name stays the same until a measurement is settled, so that an interrupted bench resumes; then it
  // changes.
  const before = request.evidence.filter(({ ruleId }) => ruleId === rule.id).length;
  return {
    benchId: `${request.id}.${rule.id}.${before}.${(without ?? "").slice(0, 6)}${(withIt ?? "").slice(0, 6)}`,
    configurations,
    beside: compileMemory(others, "0").ruleIds.toSorted(),
  };
}
