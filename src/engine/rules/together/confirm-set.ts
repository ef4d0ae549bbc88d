import { plainSentence, sentence } from "../../base/language.ts";
import { type Configuration, configurationHash, currentConfiguration } from "../../bench/configuration.ts";
import { suiteHash } from "../../bench/suite.ts";
import { minContrasts, type Question, usualQuestion } from "../../verdict/verdict.ts";
import { type ExperimentEnd, measurePair } from "../../verdict/measure-pair.ts";
import { confirm } from "../../verdict/retention.ts";
import { compileMemory } from "../memory-text.ts";
import { rentFactor } from "../rent.ts";
import { ruleText, type Rule } from "../rule.ts";
import type { RuleBench, SelectPorts, SelectRequest, SetPorts, SettledRule } from "../rules-selection.ts";
import { measuredWith, keyOf } from "./measure-together.ts";
import { confirmRounds, setId, type SetOutcome, type FoundStore } from "./set.ts";
import { measuresModel } from "../../bench/run-facts.ts";

/** Maximum spending of a confirmation, as a share of the expected use of its rounds. */
const maxOverExpected = 1.5;

interface ConfirmTurn {
  readonly request: SelectRequest;
  readonly rules: readonly Rule[];
  /** Rules that were found to save, and would become active. */
  readonly found: readonly Rule[];
  /** Processing tokens that may be spent; null for no cap. */
  readonly room: number | null;
  /** Expected processing tokens of one round; null if unknown. */
  readonly ofRound: number | null;
}

interface Confirmed {
  readonly end: ExperimentEnd;
  /** Null if it was interrupted. The next start continues there. */
  readonly set: SetOutcome | null;
  /** Processing tokens. */
  readonly tokensSpent: number;
}

/**
 * Measures the future memory, with all found and all active rules, against no rules at all. It can only
 * reject: a set shown not to save is not admitted, whatever its single rules saved.
 */
async function confirmSet(
  turn: ConfirmTurn,
  ports: SelectPorts & { readonly sets: SetPorts },
  signal: AbortSignal,
): Promise<Confirmed> {
  const { request, found, room, ofRound } = turn;
  const { suite, agent, driver, seed, evidence } = request;
  const tasks = suite.tasks.filter((task) => task.agent === agent).length;
  const minRuns = ofRound === null ? null : Math.ceil(minContrasts / Math.max(1, tasks)) * ofRound;
  const ids = found.map(({ id }) => id);
  if (room !== null && room < (minRuns ?? 1))
    return {
      end: { kind: "finished" },
      set: { kind: "unpaid", found: ids, tokens: minRuns },
      tokensSpent: 0,
    };
  const { bench, whole } = benchOfSet(turn);
  const rent = whole.reduce((sum, rule) => sum + ports.rent(rule), 0);
  const key = {
    ruleId: setId(
      agent,
      whole.map(({ id }) => id),
    ),
    suiteHash: suiteHash(suite, agent),
    model: measuredWith(request),
    driver,
  };
  const receipts = await ports.sets.receipts(whole.map(({ id }) => id));
  const { end, tokensSpent, settled } = await measurePair(
    {
      id: bench.benchId,
      configurations: bench.configurations,
      suite,
      driver,
      seed,
      evidence,
      subject: { kind: "set", id: key.ruleId, title: plainSentence(`${whole.length} rules, as a whole`) },
      set: whole.map((rule) => {
        const receipt = receipts.get(rule.id);
        return {
          id: rule.id,
          title: ruleText(rule),
          isFound: ids.includes(rule.id),
          savingShare: receipt?.verdict.savingShare ?? null,
          receiptId: receipt?.id ?? null,
        };
      }),
      question: setQuestion(rentFactor * rent, turn),
      key,
      tokensPerRound: ofRound,
    },
    {
      round: (number, stop) => ports.round(bench, number, stop),
      onProgress: (experiment) => ports.sets.onProgress({ found: ids, experiment }),
      now: ports.now,
      price: ports.price,
    },
    signal,
  );
  if (settled === null) return { end, set: null, tokensSpent };
  const decision = confirm(settled.receipt.verdict);
  return {
    end: { kind: "finished" },
    set: { kind: "settled", found: ids, decision, ...settled },
    tokensSpent,
  };
}

interface SetBench extends RuleBench {
  readonly configurations: readonly [Configuration, Configuration];
}

/** Side 0 has no rules at all, side 1 the memory that would be compiled; `whole` is what that memory has. */
function benchOfSet({ request, rules, found }: ConfirmTurn): {
  readonly bench: SetBench;
  readonly whole: readonly Rule[];
} {
  const { agent, model, effort = null, evidence } = request;
  const others = rules.filter(
    (rule) => rule.agent === agent && rule.status === "active" && !found.some(({ id }) => id === rule.id),
  );
  const all = [...found, ...others].map((rule): Rule => ({ ...rule, status: "active" }));
  const { text, ruleIds } = compileMemory(all, "0");
  const whole = ruleIds.flatMap((id) => all.filter((rule) => rule.id === id));
  const own = { agent, model, effort };
  const none = currentConfiguration({ ...own, memory: null });
  const label = sentence("all {0} rules", whole.length);
  const configurations = [
    // Without any active rule, no rules at all is the agent as it is.
    { ...none, role: others.length > 0 ? ("audit" as const) : none.role },
    { ...currentConfiguration({ ...own, memory: { label, text } }), role: "candidate" as const },
  ] as const;
  const id = setId(agent, ruleIds);
  // The name stays until it is settled, so that an interrupted bench resumes; then it changes.
  const before = evidence.filter(({ ruleId }) => ruleId === id).length;
  const hash = configurationHash(configurations[1]).slice(0, 6);
  return { bench: { benchId: `${request.id}.${id}.${before}.${hash}`, configurations }, whole };
}

/** @param bar processing tokens that all rules together must save in a completed run */
export function setQuestion(bar: number, { room, ofRound }: Pick<ConfirmTurn, "room" | "ofRound">): Question {
  const own = ofRound === null ? null : Math.ceil(maxOverExpected * confirmRounds * ofRound);
  const caps = [room, own].filter((cap) => cap !== null);
  return {
    ...usualQuestion("comparison", bar, caps.length === 0 ? null : Math.min(...caps)),
    maxRounds: confirmRounds,
    plannedRounds: confirmRounds,
  };
}

/** The rules that a selection found with the same runs, stored until they are confirmed as a whole. */
export class Found {
  readonly #request: SelectRequest;
  readonly #store: FoundStore;
  #ids: readonly string[];

  private constructor(request: SelectRequest, store: FoundStore, ids: readonly string[]) {
    this.#request = request;
    this.#store = store;
    this.#ids = ids;
  }

  /** Continues with the rules that an interrupted selection found, or with all that passed if requested. */
  static async open(request: SelectRequest, { found: store }: SetPorts): Promise<Found> {
    const { rules, agent, isConfirming = false, driver } = request;
    const passed = rules.filter((rule) => rule.agent === agent && rule.status === "measured");
    if (isConfirming)
      return new Found(
        request,
        store,
        passed.map(({ id }) => id),
      );
    const stored = measuresModel(driver) ? await store.load() : null;
    return new Found(request, store, stored?.key === keyOf(request) ? stored.rules : []);
  }

  /** Adds a rule that passed before it is settled, so that a kill in between loses none. */
  async add({ rule, receipt }: SettledRule): Promise<void> {
    const isShared = (receipt.together ?? []).length > 0;
    if (!isShared || rule.status === "active" || receipt.verdict.kind !== "saves") return;
    this.#ids = [...new Set([...this.#ids, rule.id])];
    await this.#store.save({ version: 1, key: keyOf(this.#request), rules: [...this.#ids] });
  }

  /** Confirms the found rules. A rule found alone is admitted directly. */
  async confirm(
    turn: Omit<ConfirmTurn, "found">,
    ports: SelectPorts & { readonly sets: SetPorts },
    signal: AbortSignal,
  ): Promise<Confirmed> {
    const left = turn.rules.filter(
      ({ id, status }) => this.#ids.includes(id) && (status === "measured" || status === "active"),
    );
    const waiting = left.find(({ status }) => status === "measured");
    if (waiting === undefined || left.length < 2) {
      if (waiting !== undefined && this.#request.isConfirming !== true) await ports.sets.letIn(waiting.id);
      if (this.#ids.length > 0) await this.#clear();
      return { end: { kind: "finished" }, set: null, tokensSpent: 0 };
    }
    const confirmed = await confirmSet({ ...turn, found: left }, ports, signal);
    if (confirmed.set?.kind === "settled") await ports.sets.confirm(confirmed.set);
    if (confirmed.set !== null) await this.#clear();
    return confirmed;
  }

  async #clear(): Promise<void> {
    this.#ids = [];
    await this.#store.save(null);
  }
}
