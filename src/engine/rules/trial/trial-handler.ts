import { type HookAnswer, type EventNamed, isHonoured } from "../../hooks/event.ts";
import { defaultHookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { TrialAssignment } from "./assign.ts";
import { asksForCorrection, type TrialPrompts } from "./heard-prompts.ts";

interface TrialPorts {
  readonly trials: Pick<TrialAssignment, "concerns" | "begin">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Time limit for its answer, and for a draw that may still be handed out. Milliseconds. */
const [limit, lateAfter] = [800, 700];

/**
 * Gives each new session its drawn rules on trial, in its first context. A subagent is not a separate
 * session.
 */
export function trialHandler({ trials, now }: TrialPorts): HookHandler<"SessionStart"> {
  const answer = (
    event: EventNamed<"SessionStart">,
    { program, signal } = defaultHookContext,
  ): Promise<HookAnswer | null> | null => {
    const isDelivered = event.agent_id === undefined && isHonoured("context", "SessionStart", program);
    const start = { agent: agentOf(event), cwd: event.cwd ?? null, source: event.source ?? null };
    if (!isDelivered || !trials.concerns(start)) return null;
    const session = { ...start, id: event.session_id, program };
    return begin(session, signal);
  };

  const begin = async (session: Parameters<typeof trials.begin>[0], signal: AbortSignal) => {
    const startedAt = now();
    const given = await trials.begin(session);
    if (given === null || signal.aborted || now() - startedAt > lateAfter) return null;
    given.delivered();
    return given.text === null ? null : { context: given.text, rule: "trial" };
  };

  return { name: "trial", events: ["SessionStart"], budget: limit, answer };
}

interface TrialNotesPorts {
  readonly prompts: Pick<TrialPrompts, "heard">;
  readonly cleared: TrialAssignment["cleared"];
}

/**
 * Records facts about sessions for a trial: of a prompt its length and whether it corrects, never its text.
 * Adds no text.
 */
export function trialNotesHandler(trials: TrialNotesPorts): HookHandler<"UserPromptSubmit" | "SessionEnd"> {
  const answer = (
    event: EventNamed<"UserPromptSubmit" | "SessionEnd">,
    { program } = defaultHookContext,
  ): null => {
    if (event.agent_id !== undefined) return null;
    const { session_id: id, cwd = null } = event;
    if (event.hook_event_name === "UserPromptSubmit") {
      const { prompt, prompt_id: promptId = null } = event;
      if (prompt !== undefined)
        trials.prompts.heard({
          sessionId: id,
          id: promptId,
          chars: prompt.length,
          corrects: asksForCorrection(prompt),
        });
    } else if (event.reason === "clear") trials.cleared({ id, program, cwd });
    return null;
  };

  return { name: "trial-notes", events: ["UserPromptSubmit", "SessionEnd"], budget: 100, answer };
}

function agentOf({ agent_type: type }: EventNamed<"SessionStart">): string {
  return type === undefined || type === "" ? "main" : type;
}
