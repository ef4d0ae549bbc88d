import * as z from "zod/mini";
import type { PerSession, SessionMemory } from "../base/per-session.ts";
import type { HookAnswer } from "./event/hooks-answer.ts";
import type { EventNamed, HookEvent } from "./event/event.ts";
import { isHonoured } from "./event/write-answer.ts";
import { defaultHookContext, type HookHandler } from "./hooks-handler.ts";

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
