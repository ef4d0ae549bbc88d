import * as z from "zod/mini";
import type { Disposable } from "../base/events.ts";
import { isTaskNotification } from "../transcripts/claude.ts";
import { systemTimer, type Timer } from "../base/timing.ts";
import { mergeAnswers, outcomeOf, type HookAnswer, type Outcome } from "./event/hooks-answer.ts";
import { isNamed, type HookEvent, type HookEventName, type EventNamed } from "./event/event.ts";
import {
  type HookHandler,
  type HookContext,
  timeOf,
  defaultHookContext,
  type RepeatedProblems,
} from "./hooks-handler.ts";
import type { HookCaller } from "./program.ts";
import { honouredPart, writeAnswer, isHonoured } from "./event/write-answer.ts";
import type { PerSession, SessionMemory } from "../base/per-session.ts";

export interface Answered {
  readonly text: string;
  readonly outcome: Outcome;
  /** Names of the handlers that had an answer. */
  readonly handlers: readonly string[];
  readonly rule: string | null;
  /** Characters added to the agent's context. */
  readonly injected: number;
}

/** A handler with its event types erased: `ask` returns null for an event that it does not handle. */
interface Registered {
  readonly handler: Pick<HookHandler, "name" | "budget" | "patience">;
  readonly events: readonly HookEventName[];
  readonly ask: (event: HookEvent, about: HookContext) => ReturnType<HookHandler["answer"]>;
  readonly miss: (event: HookEvent, about: HookContext) => HookAnswer | null;
}

function isNotification(event: HookEvent): boolean {
  return event.hook_event_name === "UserPromptSubmit" && isTaskNotification(event.prompt ?? "");
}

interface Opinion {
  readonly name: string;
  readonly answer: HookAnswer | null;
  readonly fault?: "failed" | "late";
}

type KeepLate = (event: HookEvent, answer: HookAnswer) => boolean;

export class HookPipeline {
  readonly #problems: Pick<RepeatedProblems, "add">;
  readonly #timer: Timer;
  readonly #keep: KeepLate;
  readonly #registered = new Map<HookEventName, Registered[]>();

  /** @param keep called with an answer for an agent that no longer waits; returns whether it is given later */
  constructor(
    problems: Pick<RepeatedProblems, "add">,
    timer: Timer = systemTimer,
    keep: KeepLate = () => false,
  ) {
    this.#problems = problems;
    this.#timer = timer;
    this.#keep = keep;
  }

  /** @throws when the handlers of an event could together take longer than the agent waits */
  register<Name extends HookEventName>(handler: HookHandler<Name>): Disposable {
    const { events, hearsNotifications = false } = handler;
    const isHandled = (event: HookEvent) => hearsNotifications || !isNotification(event);
    const registered: Registered = {
      handler,
      events,
      ask: (event, about) =>
        isNamed(event, events) && isHandled(event) ? handler.answer(event, about) : null,
      miss: (event, about) => (isNamed(event, events) ? (handler.missed?.(event, about) ?? null) : null),
    };
    for (const event of events) {
      const all = this.#registered.get(event) ?? [];
      const sum = all.reduce((time, { handler: { budget } }) => time + budget, handler.budget);
      if (!(sum <= timeOf(event)))
        throw new Error(`With ${handler.name} the handlers of ${event} may take ${sum} ms`);
    }
    for (const event of events)
      this.#registered.set(event, [...(this.#registered.get(event) ?? []), registered]);
    return {
      dispose: () => {
        for (const event of events) {
          const others = this.#registered.get(event)?.filter((each) => each !== registered) ?? [];
          this.#registered.set(event, others);
        }
      },
    };
  }

  async answer(
    event: HookEvent,
    program: HookCaller,
    context: Omit<HookContext, "program" | "answered"> = defaultHookContext,
  ): Promise<Answered> {
    let isAnswered: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (isAnswered = resolve));
    try {
      return await this.#answer(event, { ...context, program, answered });
    } finally {
      isAnswered();
    }
  }

  async #answer(event: HookEvent, about: HookContext): Promise<Answered> {
    const { program } = about;
    const name = event.hook_event_name;
    const opinions: Opinion[] = [];
    const end = this.#timer.elapsed() + timeOf(name);
    for (const registered of this.#registered.get(name) ?? [])
      opinions.push(await this.#ask(registered, event, about, end));
    const answers = opinions.flatMap(({ name: who, answer }) => (answer === null ? [] : [{ who, answer }]));
    const answer = honouredPart(event, mergeAnswers(answers.map((each) => each.answer)), program);
    const who = answers.map((each) => each.who);
    if (about.signal.aborted && this.#keep(event, answer))
      return { text: "", outcome: "late", handlers: who, rule: null, injected: 0 };
    const outcome = outcomeOf(answer);
    const fault = opinions.find((opinion) => opinion.fault !== undefined)?.fault;
    return {
      text: writeAnswer(name, answer, program),
      outcome: outcome === "none" && fault !== undefined ? fault : outcome,
      handlers: who,
      rule: answer.rule ?? null,
      injected: answer.context?.length ?? 0,
    };
  }

  async #ask(
    { handler: { name, budget, patience = 0 }, ask, miss }: Registered,
    event: HookEvent,
    about: HookContext,
    end: number,
  ): Promise<Opinion> {
    const startedAt = this.#timer.elapsed();
    // All handlers together stay within the time of their event, even after a patient one.
    const limit = Math.min(budget + patience, Math.max(0, end - startedAt));
    try {
      const asked = ask(event, about);
      const isAwaited = asked instanceof Promise;
      const answer = isAwaited ? await this.#inTime(name, asked, limit) : asked;
      const isLate = answer === "late" || this.#timer.elapsed() - startedAt > limit;
      if (isLate) this.#problems.add(`late ${name}`, `The hook handler ${name} took more than ${limit} ms`);
      // A synchronous answer counts even when late: its handler may remember having given it, and only time is
      // lost.
      if (answer !== "late" && !(isLate && isAwaited)) return { name, answer };
      return { name, answer: miss(event, about), fault: "late" };
    } catch (error) {
      this.#failed(name, error);
      return { name, answer: miss(event, about), fault: "failed" };
    }
  }

  async #inTime<Value>(name: string, asked: Promise<Value>, time: number): Promise<Value | "late"> {
    let limit: Disposable | undefined;
    let isLate = false;
    const late = new Promise<"late">((resolve) => {
      limit = this.#timer.after(time, () => {
        isLate = true;
        resolve("late");
      });
    });
    // A late handler may still fail, after everybody stopped waiting for it.
    asked.catch((error: unknown) => {
      if (isLate) this.#failed(name, error);
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      limit?.dispose();
    }
  }

  #failed(name: string, error: unknown): void {
    this.#problems.add(`failed ${name}`, `The hook handler ${name} failed: ${String(error)}`);
  }
}

const events = ["UserPromptSubmit", "PreToolUse", "PostToolUse"] as const;
type Name = (typeof events)[number];

/** Longer than any agent takes. Characters. */
const maxTextLength = 40_000;
const text = z.optional(z.string().check(z.maxLength(maxTextLength)));
const late = z.nullable(z.object({ context: text, notice: text, rule: text }));
type Late = z.infer<typeof late>;

/**
 * Answers to prompts whose agent no longer waited. They go with the session's next hook that can add to the
 * context.
 */
export class LateAnswers {
  readonly handler: HookHandler<Name>;
  readonly #sessions: PerSession<Late>;

  constructor(memory: Pick<SessionMemory, "part">) {
    this.#sessions = memory.part("late-answers", { schema: late, empty: null });
    this.handler = {
      name: "late-answers",
      events,
      budget: 5,
      answer: (event, about = defaultHookContext) => this.#answer(event, about),
    };
  }

  /**
   * Whether an answer is stored: only for a person's prompt, as answers to other hooks are valid only at that
   * moment.
   */
  readonly keep = (event: HookEvent, { context, notice, rule }: HookAnswer): boolean => {
    const { session_id: session, agent_id: agent, hook_event_name: name } = event;
    if (name !== "UserPromptSubmit" || agent !== undefined || context === undefined) return false;
    const [cutContext, cutNotice, cutRule] = [context, notice, rule].map((each) =>
      each?.slice(0, maxTextLength),
    );
    this.#sessions.set(session, {
      context: cutContext,
      ...(cutNotice === undefined ? {} : { notice: cutNotice }),
      ...(cutRule === undefined ? {} : { rule: cutRule }),
    });
    return true;
  };

  #answer(
    event: EventNamed<Name>,
    { program }: Pick<typeof defaultHookContext, "program">,
  ): HookAnswer | null {
    const { session_id: session, agent_id: agent, hook_event_name: name } = event;
    const kept = this.#sessions.of(session);
    if (kept === null || agent !== undefined || !isHonoured("context", name, program)) return null;
    this.#sessions.set(session, null);
    const { context, notice, rule } = kept;
    return {
      ...(context === undefined ? {} : { context }),
      ...(notice === undefined ? {} : { notice }),
      ...(rule === undefined ? {} : { rule }),
    };
  }
}
