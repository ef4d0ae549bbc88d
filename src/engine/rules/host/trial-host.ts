import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../base/timing.ts";
import { namedByStart } from "../named-by-start.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { gitBranch } from "../../budgets/git-branch.ts";
import { projectFolder, realPathOf } from "../../base/paths.ts";
import type { GuardArms } from "../../hooks/feature.ts";
import type { HookProgram } from "../../hooks/program.ts";
import type { TrialHead, TrialPlan, TrialView } from "../trial-answers.ts";
import type { ChangedRule } from "../book/changes.ts";
import { findRule, readRules, type Rules, type RulesLedger } from "../book/rules-book-rows.ts";
import { TrialAssignment } from "../trial/assign.ts";
import { acts, missingForGuards, planGuards, type ActingSettings } from "../trial/guard-trial.ts";
import { proofIn, missingIn, planTrial, type AskedTrial } from "../trial/planning.ts";
import { mayBeTried, triesGuards, type SessionFolders, type Trial } from "../trial/trial.ts";
import { sessionsPerUpdate } from "../trial/pace.ts";
import { headOf, trialEntryOf, trialOfRow } from "../trial/trial-rows.ts";
import type { AnswerOf } from "../../protocol/serve.ts";
import type { trialRequests } from "../rule-requests.ts";
import { sentence, type Sentence } from "../../base/language.ts";

type Answer<Name extends keyof typeof trialRequests> = AnswerOf<(typeof trialRequests)[Name]>;

export interface TrialHostPorts {
  readonly ledger: RulesLedger;
  readonly clock: Clock;
  /** Returns a text that no other call returns. */
  readonly unique: () => string;
  /** Programs with purser's hooks in a folder. Null for the user's own settings only. */
  readonly programsIn: (folder: string | null) => HookProgram[];
  readonly arms: Pick<GuardArms, "keep" | "draw">;
  readonly settingsOf: (folder: string | null) => ActingSettings;
  readonly onProblem: (message: string) => void;
  /** Lets a rule into its agent's memory. @param why what a trial shows. `root` is Claude Code's configuration folder */
  readonly letIn: (
    ruleId: string,
    given: { readonly why: Sentence; readonly root: string },
  ) => Promise<Result<ChangedRule>>;
  /** Evicts a rule that a trial found to be harmful, as its owner agreed. */
  readonly switchOff: (ruleId: string, why: Sentence) => Promise<Result<ChangedRule>>;
}

/**
 * Maximum sessions without a draw that are searched, unless all are requested. Includes those of other
 * folders.
 */
const maxUndrawn = 1000;

/** Delay of adapted chances after the ledger changed, as transcripts come in bursts. Milliseconds. */
const pause = 30_000;

/** The service's trials of rules and guards on real work: starts and stops them for clients, and reports their state. */
export class TrialHost {
  readonly #ports: TrialHostPorts;
  readonly assignment: TrialAssignment;
  #last: Promise<unknown> = Promise.resolve();
  /** By trial: sessions that had begun when its chances were adapted. */
  readonly #adaptedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: TrialHostPorts) {
    this.#ports = ports;
    this.assignment = new TrialAssignment({
      ...ports,
      now: () => ports.clock.now(),
      branchOf: gitBranch,
      foldersOf,
      isActing: (family, folder) => acts(family, ports.settingsOf(folder)),
    });
  }

  /** Reads the running trials as soon as the ledger is open. */
  load(): void {
    const failed = (detail: string) => this.#ports.onProblem(`What is on trial is not known: ${detail}`);
    this.#restore().then(
      (read) => (read.ok ? undefined : failed(read.detail.text)),
      (error: unknown) => failed(String(error)),
    );
  }

  async list(): Promise<Result<{ trials: TrialHead[] }>> {
    const read = await this.#ports.ledger.ask("trials", null);
    return read.ok ? succeed({ trials: read.value.map(headOf) }) : read;
  }

  /**
   * Plans a trial; one that its owner approves is in the ledger before it is answered.
   * @param guards families of guards to try, in the sessions of all agents; null to try rules
   */
  start(
    given: AskedTrial,
    guards: readonly string[] | null,
    isApproved: boolean,
  ): Promise<Result<{ plan: TrialPlan; trial: TrialHead | null }>> {
    const { project } = given;
    const isPlace = project !== null && path.isAbsolute(project);
    const asked = isPlace ? { ...given, project: realPathOf(project) } : given;
    return this.#serialize(async () => {
      const { ledger, clock, unique, programsIn, settingsOf } = this.#ports;
      const [rules, trials] = [await readRules(ledger), await ledger.ask("trials", null)];
      if (!rules.ok) return rules;
      if (!trials.ok) return trials;
      const running = trials.value.map(trialOfRow).filter(({ stoppedAt }) => stoppedAt === null);
      const place = { rules: rules.value.rules, running, programs: programsIn(asked.project), foldersOf };
      const plan =
        guards === null
          ? planTrial(asked, place)
          : planGuards(asked, guards, { ...place, settings: settingsOf(asked.project) });
      if (!plan.ok) return plan;
      if (!isApproved) return succeed({ plan: plan.value, trial: null });
      const trial: Trial = {
        id: `t${unique().replaceAll("-", "").slice(0, 10)}`,
        agent: plan.value.agent,
        project: asked.project,
        ruleIds: plan.value.rules.map(({ id }) => id),
        planned: asked.planned,
        startedAt: clock.now(),
        stoppedAt: null,
        approvedBy: "user",
        holdOut: plan.value.holdOut,
        switchesOff: plan.value.switchesOff,
      };
      const kept = await this.#keep(trial);
      if (!kept.ok) return kept;
      return succeed({
        plan: plan.value,
        trial: { ...trial, ruleIds: [...trial.ruleIds], sessions: 0 },
      });
    });
  }

  stop(id: string): Promise<Result<{ trial: TrialHead }>> {
    return this.#serialize(async () => {
      const found = findTrial(await this.list(), id);
      if (!found.ok) return found;
      const trial = found.value;
      if (trial.stoppedAt !== null)
        return fail("stopped", sentence("trial {0} is stopped already", trial.id));
      const { sessions, ...rest } = { ...trial, stoppedAt: this.#ports.clock.now() };
      const kept = await this.#keep(rest);
      if (!kept.ok) return kept;
      return succeed({ trial: { ...rest, sessions } });
    });
  }

  /**
   * @param id null for the newest
   * @param isWhole whether to return all sessions, not only the newest
   */
  async status(id: string | null, isWhole: boolean): Promise<Result<{ trial: TrialView }>> {
    const found = findTrial(await this.list(), id);
    if (!found.ok) return found;
    const rules = await readRules(this.#ports.ledger);
    return rules.ok ? await this.#reckon(found.value, rules.value, isWhole) : rules;
  }

  /**
   * Lets a rule into its agent's memory, where its newest trial shows it to save, alone or together with its benchmark.
   * @param ruleId or the beginning of one
   * @param root Claude Code's configuration folder
   */
  async letIn(ruleId: string, root: string): Promise<Result<Answer<"trialLetIn">>> {
    const { ledger, letIn } = this.#ports;
    const rules = await readRules(ledger);
    if (!rules.ok) return rules;
    const rule = findRule(rules.value.rules, ruleId);
    if (!rule.ok) return rule;
    const { id } = rule.value;
    const listed = await this.list();
    if (!listed.ok) return listed;
    const trial = listed.value.trials.find(({ ruleIds }) => ruleIds.includes(id));
    if (trial === undefined)
      return fail("no_trial", sentence("rule {0} was on no trial; purser trial start begins one", id));
    const read = await this.#reckon(trial, rules.value);
    if (!read.ok) return read;
    const { why, missing } = proofIn(read.value.trial, id);
    if (why === null)
      return fail(
        "not_shown",
        sentence("rule {0} is not let in by trial {1}: {missing}", {
          0: id,
          1: trial.id,
          missing: missing,
        }),
      );
    const done = await letIn(id, { why, root });
    return done.ok ? succeed({ id, why: done.value.why, memory: done.value.memory }) : done;
  }

  async #reckon(
    { id, agent, project, planned, ruleIds, stoppedAt }: TrialHead,
    { rules, book }: Rules,
    isWhole = false,
  ): Promise<Result<{ trial: TrialView }>> {
    const { ledger, clock, programsIn } = this.#ports;
    const sessions = await ledger.ask("trialSessions", { id, mostUndrawn: isWhole ? null : maxUndrawn });
    if (!sessions.ok) return sessions;
    if (sessions.value === null) return fail("no_trial", sentence("there is no trial {0}", id));
    // Seldom needed, so loaded on demand.
    const { reckonTrial, benchmarkFindings } = await import("../trial/reckon.ts");
    const benchmarks = await benchmarkFindings(ledger, book, ruleIds);
    if (!benchmarks.ok) return benchmarks;
    const missingHere = () =>
      triesGuards({ agent }) ? missingForGuards(programsIn(project)) : missingIn(agent, programsIn(project));
    const missing = stoppedAt === null ? missingHere() : null;
    return succeed({
      trial: await reckonTrial(
        { sessions: sessions.value, rules, ruleIds, planned, benchmarks: benchmarks.value, isWhole },
        { now: clock.now(), missing: missing === null ? [] : [missing], foldersOf, pause: () => nextTurn() },
      ),
    });
  }

  async stopChanges(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#last;
  }

  async #keep(trial: Trial): Promise<Result<unknown>> {
    const kept = await this.#ports.ledger.append([trialEntryOf(trial)]);
    return kept.ok ? await this.#read() : kept;
  }

  async #read(): Promise<Result<readonly Trial[]>> {
    const read = await this.#ports.ledger.ask("trials", null);
    if (!read.ok) return read;
    const trials = read.value.map(trialOfRow);
    this.assignment.set(trials);
    return succeed(trials);
  }

  /** Adapts chances soon. */
  changed(): void {
    const failed = (error: unknown) => this.#ports.onProblem(`Chances are not adapted: ${String(error)}`);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#serialize(() => this.adaptChances()).catch(failed);
    }, pause).unref();
  }

  /** Adapts the chances of running trials, once enough sessions began since the last time. */
  async adaptChances(): Promise<void> {
    const read = await this.#ports.ledger.ask("trials", null);
    if (!read.ok) return;
    for (const row of read.value) {
      if (row.holdOut === null || row.stoppedAt !== null) continue;
      if (row.sessions - (this.#adaptedAt.get(row.id) ?? 0) < sessionsPerUpdate) continue;
      this.#adaptedAt.set(row.id, row.sessions);
      await this.#adapt(row.id, row.holdOut, row.switchesOff);
    }
  }

  async #adapt(id: string, holdOut: number, switchesOff: boolean): Promise<void> {
    const { ledger, clock, onProblem, switchOff } = this.#ports;
    const sessions = await ledger.ask("trialSessions", { id, mostUndrawn: 0 });
    const rules = await readRules(ledger);
    if (!sessions.ok || sessions.value === null || !rules.ok) {
      onProblem(`The chances of trial ${id} stay as they were: the ledger does not answer.`);
      return;
    }
    // Seldom needed, so loaded on demand.
    const { beliefsOf, chanceOf, isHarmful } = await import("../trial/reckon.ts");
    const beliefs = beliefsOf(sessions.value, rules.value.rules, clock.now());
    this.assignment.adapt(id, new Map(beliefs.map((belief) => [belief.ruleId, chanceOf(belief, holdOut)])));
    if (!switchesOff) return;
    for (const belief of beliefs) {
      const rule = rules.value.rules.find((each) => each.id === belief.ruleId);
      if (!isHarmful(belief) || rule === undefined || rule.isProtected || !mayBeTried(rule)) continue;
      const why = sentence(
        "switched off by trial {0}: it probably costs tokens ({1}% that it saves)",
        id,
        Math.round(100 * belief.saves),
      );
      const done = await switchOff(rule.id, why);
      if (!done.ok) onProblem(`Rule ${rule.id} is not switched off: ${done.detail.text}`);
    }
  }

  /** Sessions keep their draws over a restart of the service. */
  async #restore(): Promise<Result<unknown>> {
    const read = await this.#read();
    if (!read.ok) return read;
    for (const trial of read.value.filter((each) => triesGuards(each) && each.stoppedAt === null)) {
      const drawn = await this.#ports.ledger.ask("deliveredDraws", trial.id);
      if (!drawn.ok) return drawn;
      this.assignment.restore(drawn.value);
    }
    await this.adaptChances();
    return read;
  }

  #serialize<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function foldersOf(cwd: string): SessionFolders {
  return { folder: realPathOf(cwd), project: projectFolder(cwd) };
}

/** Finds a trial by its id, or by an unambiguous beginning of it. @param id null for the newest */
function findTrial(listed: Result<{ trials: TrialHead[] }>, id: string | null): Result<TrialHead> {
  if (!listed.ok) return listed;
  const { trials } = listed.value;
  const [newest] = trials;
  if (newest === undefined)
    return fail("no_trial", sentence("there is no trial; purser trial start AGENT begins one"));
  if (id === null) return succeed(newest);
  const named = namedByStart(trials, id, (trial) => trial.id);
  if (named.kind === "one") return succeed(named.item);
  return named.kind === "none"
    ? fail("no_trial", sentence("there is no trial {0}; purser trial list tells them", id))
    : fail("no_trial", sentence("more than one trial begins with {0}", id));
}
