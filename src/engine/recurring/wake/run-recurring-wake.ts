import { takeLock } from "../../base/lock.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import { agentPrograms } from "../programs/programs.ts";
import type { Invocation } from "../programs/program.ts";
import { Desk, unseen, withSeenComments, withSeenTask } from "../tasks/desk.ts";
import type { TaskState } from "../tasks/task.ts";
import { isTaken, pauseAfter, usualGap } from "./due.ts";
import { wakeEnvironment } from "./recurring-wake-environment.ts";
import { planWake, type PlanFault, type WakePlan, type WakeRequest } from "./next-step.ts";
import type { ProgramResult, WakePorts } from "./recurring-wake-ports.ts";
import { unattendedWorkOf, type SessionNews, wakePrompt } from "./stable-prompt.ts";
import {
  beginRow,
  countsOf,
  deliver,
  outcomeOf,
  spentIn,
  isStuck,
  refusalOf,
  recoverWake,
} from "./recurring-wake-record.ts";
import {
  StateStore,
  afterInterruption,
  sessionAfterWake,
  withEnded,
  type SessionState,
} from "./recurring-wake-state.ts";
import { mapSentence, sentence, type Sentence } from "../../base/language.ts";

/**
 * `busy`: another wake of this agent runs; `already`: its slot was used; `declined`: its person rejected the
 * plan.
 */
export type WakeFault = PlanFault | "busy" | "already" | "declined";

export interface WakeDone {
  readonly plan: WakePlan;
  readonly row: WakeRow;
  /** For a person. */
  readonly said: readonly Sentence[];
}

/**
 * Holds the agent's lease from before the plan until after the record, so that two wakes of one agent never overlap. The next wake finds a killed
 * one. `agree` shows the plan, and returns whether to carry it out.
 */
export async function runWake(
  request: WakeRequest,
  ports: WakePorts,
  { agree, signal }: { readonly agree: (plan: WakePlan) => Promise<boolean>; readonly signal: AbortSignal },
): Promise<Result<WakeDone, WakeFault>> {
  const { place, agent } = request;
  await ports.files.makeFolder(place.folder);
  const lease = await takeLock({ folder: place.folder, name: "wake" }, ports);
  if (!lease.ok) {
    const { detail } = lease;
    return fail("busy", sentence("another wake of {0} runs: {detail}", { 0: agent.name, detail }));
  }
  try {
    const store = new StateStore(place.state, ports);
    const damage = await store.load();
    const messages = damage === null ? [] : [damage];
    messages.push(...(await recoverWake(store, agent, ports)));
    const { lastSlot } = store.state;
    if (request.slot !== null && isTaken(request.slot, { lastSlot, now: ports.clock.now() }))
      return fail(
        "already",
        sentence("{0} was woken for {1}", agent.name, new Date(request.slot).toISOString()),
      );
    const planned = await planWake(request, store.state, ports);
    if (!planned.ok) {
      // Nothing to do settles the slot; any other reason may be gone in a minute.
      if (planned.reason === "nothing_to_do" && request.slot !== null)
        await store.save({ ...store.state, lastSlot: request.slot });
      return planned;
    }
    if (!(await agree(planned.value))) return fail("declined", sentence("nothing was spent"));
    if (signal.aborted) return fail("declined", sentence("it was cancelled before anything was spent"));
    return succeed(await new Wake(planned.value, store, ports, signal, messages).run());
  } finally {
    await lease.value.release();
  }
}

class Wake {
  readonly #plan: WakePlan;
  readonly #store: StateStore;
  readonly #ports: WakePorts;
  readonly #signal: AbortSignal;
  readonly #messages: Sentence[];
  readonly #desk: Desk;
  readonly #id: string;

  constructor(
    plan: WakePlan,
    store: StateStore,
    ports: WakePorts,
    signal: AbortSignal,
    messages: Sentence[],
  ) {
    this.#plan = plan;
    this.#store = store;
    this.#ports = ports;
    this.#signal = signal;
    this.#messages = messages;
    this.#desk = new Desk(plan.request.place.desk);
    this.#id = ports.unique();
  }

  async run(): Promise<WakeDone> {
    const { choice, thread, sessionNews } = this.#plan;
    const { clock } = this.#ports;
    await this.#ports.files.makeFolder(this.#desk.folder);
    await this.#desk.clear();
    const at = clock.now();
    let resume = choice.resume;
    let started = await this.#start(beginRow(this.#plan, this.#id, at), resume, sessionNews);
    let done = await this.#end(started, resume);
    const refusal = resume === null ? null : refusalOf(this.#program, started.result, done);
    if (resume !== null && refusal !== null) {
      const { isGone, detail } = refusal;
      const lost = resume;
      resume = null;
      const retried = {
        ...beginRow(this.#plan, this.#id, at),
        reason: "invalid_resume" as const,
        resumeFailed: true,
      };
      started = await this.#start(retried, resume, this.#plan.newsIfLost, lost);
      done = await this.#end(started, resume);
      const isStarted = done.sessionId !== null;
      // If the program cannot start a new session either, the session was not the reason.
      if (!isGone && !isStarted) done = { ...done, resumeFailed: false };
      this.#messages.push(
        isStarted
          ? sentence(
              "session {0} could not be resumed ({1}); a new one was begun with all of its task",
              lost.id,
              detail,
            )
          : sentence("session {0} could not be resumed, and no new one begun ({1})", lost.id, detail),
      );
      // The session may continue later, so what it knows is not sent again.
      if (!isStarted && thread !== null) await this.#desk.keep(thread.task.id, sessionNews.cursor);
    }
    const { sessionId } = done;
    if (resume !== null && sessionId !== null && sessionId !== resume.id) {
      done = { ...done, reason: "invalid_resume", resumeFailed: true };
      this.#messages.push(
        sentence("session {0} was not continued: its program began session {1}", resume.id, sessionId),
      );
      // It may not know the task. The next wake shows all of it.
      if (thread !== null) await this.#desk.keep(thread.task.id, unseen);
      resume = null;
    }
    if (resume !== null && isStuck(done)) done = { ...done, resumeFailed: true };
    const before = sessionId === null ? null : this.#sessionBefore(sessionId, resume, at);
    const session = before && { ...before, isStuck: isStuck(done) };
    const key = thread?.task.id ?? "";
    const { state } = this.#store;
    const { sessions, pause } = state;
    await this.#store.save(
      withEnded(state, done, {
        sessions: session === null ? sessions : { ...sessions, [key]: sessionAfterWake(session, done) },
        pause: pauseAfter(pause, done, clock.now()),
        ...(done.outcome === "interrupted" ? afterInterruption(state, this.#plan.request.slot) : {}),
      }),
    );
    await deliver(this.#store, this.#ports);
    return { plan: this.#plan, row: done, said: this.#messages };
  }

  get #program() {
    return agentPrograms[this.#plan.request.agent.program];
  }

  /** `lost` is the session that did not continue, which this one replaces. */
  async #start(
    started: WakeRow,
    resume: SessionState | null,
    given: SessionNews,
    lost: SessionState | null = null,
  ): Promise<Started> {
    const { request, thread, choice, allowed, folder, newsIfLost } = this.#plan;
    const { agent, project, place, slot, by } = request;
    const isNew = resume === null;
    const replaced = isNew ? choice.replaced : null;
    const carried = replaced === null ? null : await this.#carried(replaced);
    // A session that cannot be summed up is as good as lost.
    const sessionNews = replaced !== null && carried === null ? newsIfLost : given;
    // The prompt's content counts as shown; a new session has seen nothing before.
    if (thread !== null) await this.#desk.keep(thread.task.id, sessionNews.cursor);
    const left = lost === null ? null : await this.#handOver(lost);
    const prompt = wakePrompt(agent, sessionNews.news, {
      isNew,
      carried: left?.ok === true ? left.value : carried,
    });
    const sessionId = this.#ports.unique();
    const row = {
      ...started,
      sessionId: resume?.id ?? (agent.program === "codex" ? null : sessionId),
      promptChars: prompt.text.length,
      instructionsChars: prompt.constant,
    };
    const mark = `wake-${this.#id}`;
    /** What another process finds if this one is killed. */
    const currentOf = (now: WakeRow) => {
      const session = now.sessionId === null ? null : this.#sessionBefore(now.sessionId, resume, row.at);
      return { row: now, mark, slot, session };
    };
    await this.#store.save({
      ...this.#store.state,
      current: currentOf(row),
      lastSlot: slot ?? this.#store.state.lastSlot,
      learned: this.#plan.learned,
      assigned: [...this.#plan.assigned],
      timedBy: slot === null ? this.#store.state.timedBy : { by, at: row.at },
    });
    const gap = usualGap(agent, row.at);
    const invocation: Invocation = {
      agent,
      prompt: prompt.text,
      resume: resume?.id ?? null,
      sessionId,
      turns: agent.budget.turns,
      desk: place.desk,
      settings: place.settings,
      cache:
        agent.cache === "auto"
          ? gap !== null && gap > 5 * 60_000 && gap <= 3_600_000
            ? "1h"
            : "5m"
          : agent.cache,
      mcpConfig: allowed.mcpConfig,
    };
    const variables = wakeEnvironment({
      name: agent.name,
      project,
      wake: this.#id,
      desk: place.desk,
      tasks: agent.tasks,
    });
    let saved: Promise<void> | undefined;
    const result = await this.#ports.run({
      invocation,
      // The session of a killed wake is found, and its usage counted.
      onSession: (id) => {
        if (row.sessionId === null)
          saved = this.#store.save({
            ...this.#store.state,
            current: currentOf({ ...row, sessionId: id }),
          });
      },
      folder,
      variables,
      mark,
      allowed,
      since: row.at,
      signal: this.#signal,
    });
    await saved;
    return { row, result, sessionNews, hasComments: prompt.hasComments };
  }

  async #handOver(session: SessionState): ReturnType<WakePorts["carryForward"]> {
    const agents = await this.#ports.agentsOf(this.#plan.request.project);
    return await this.#ports.carryForward(session, unattendedWorkOf(this.#plan, agents));
  }

  async #carried(session: SessionState): Promise<string | null> {
    const carried = await this.#handOver(session);
    if (carried.ok) return carried.value;
    this.#messages.push(
      sentence("the work of session {0} could not be summed up: {detail}", {
        0: session.id,
        detail: carried.detail,
      }),
    );
    return null;
  }

  async #end(
    { row, result, sessionNews, hasComments }: Started,
    resume: SessionState | null,
  ): Promise<WakeRow> {
    const { request } = this.#plan;
    const { clock } = this.#ports;
    const printed = this.#program.read(result.ended);
    const sessionId = printed.sessionId ?? row.sessionId;
    const spent = sessionId === null ? null : await spentIn(request, sessionId, row.at, this.#ports);
    const { outcome, detail } = outcomeOf(printed, result, {
      turns: spent?.turns ?? 0,
      signal: this.#signal,
    });
    const calls = await this.#desk.callsOf(this.#id);
    const wasShown = hasComments && sessionNews.news.comments.length > 0;
    const counts = countsOf(calls, wasShown ? (sessionNews.news.isWhole ? "full" : "delta") : null);
    const stateAfter =
      outcome === "completed" || outcome === "limit" ? await this.#closeByCheck() : await this.#stateNow();
    if (outcome === "completed") await this.#keepShown(hasComments, stateAfter);
    const isSession = spent !== null || resume !== null;
    return {
      ...row,
      ...(spent ?? {}),
      ...counts,
      sessionId: isSession ? sessionId : null,
      endedAt: Math.max(row.at, clock.now()),
      outcome,
      detail: detail === null ? null : mapSentence(detail, (text) => text.slice(0, 1000)),
      rawInput: printed.raw?.input ?? null,
      rawOutput: printed.raw?.output ?? null,
      stateAfter,
    };
  }

  /** The session now knows the comments and the task in its prompt. It may itself have changed the task's state. */
  async #keepShown(hasComments: boolean, state: TaskState | null): Promise<void> {
    const { thread } = this.#plan;
    if (thread === null) return;
    const task = { ...thread.task, state: state ?? thread.task.state };
    const cursor = withSeenTask(this.#desk.cursorOf(task.id), task, this.#ports.clock.now());
    await this.#desk.keep(thread.task.id, hasComments ? withSeenComments(cursor, thread.comments) : cursor);
  }

  async #stateNow(): Promise<TaskState | null> {
    const { thread, tasks } = this.#plan;
    if (thread === null) return null;
    const read = await tasks.read(thread.task.id);
    return read.ok ? read.value.task.state : thread.task.state;
  }

  /** Only of a task that the agent handed in, outside of the agent's reach. */
  async #closeByCheck(): Promise<TaskState | null> {
    const { thread, tasks, folder, request } = this.#plan;
    const state = await this.#stateNow();
    const check = thread?.task.check ?? null;
    if (thread === null || check === null || state !== "in_review" || thread.task.state === "in_review")
      return state;
    const { id } = thread.task;
    if (!this.#ports.isAgreedCheck(check)) {
      this.#messages.push(
        sentence("{0} waits in review: its check was not agreed to (purser task done {0} runs it)", id),
      );
      return state;
    }
    const checked = await this.#ports.check(check, folder);
    const next: TaskState = checked.ok ? "done" : "in_progress";
    if (!checked.ok)
      await tasks.comment(id, { author: "purser", text: `The check failed: ${checked.detail.text}` });
    this.#messages.push(
      checked.ok
        ? sentence("{0} is done: its check succeeded", id)
        : sentence("{0} stays open: its check failed", id),
    );
    const set = await tasks.setState(id, next);
    const of = { 0: id, 1: request.agent.name };
    if (!set.ok)
      this.#messages.push(
        sentence("the state of {0} could not be set for {1}: {why}", { ...of, why: set.detail }),
      );
    return set.ok ? next : state;
  }

  /** As it was before this wake. */
  #sessionBefore(id: string, resume: SessionState | null, at: number): SessionState {
    const { program, model, sessionHash } = this.#plan.request.agent;
    const { folder } = this.#plan;
    const none = { wakes: 0, turns: 0, inputs: [], hits: [] };
    return resume ?? { id, program, model, folder, startedAt: at, lastAt: at, sessionHash, ...none };
  }
}

interface Started {
  readonly row: WakeRow;
  readonly result: ProgramResult;
  readonly sessionNews: SessionNews;
  readonly hasComments: boolean;
}
