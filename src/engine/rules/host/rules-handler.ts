import * as z from "zod/mini";
import type { SessionMemory } from "../../base/per-session.ts";
import { type HookAnswer, type EventNamed, isHonoured } from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";

const events = ["SessionStart", "UserPromptSubmit"] as const;
type Name = (typeof events)[number];

interface NudgePorts {
  /**
   * Returns the number of waiting rules and claims the notice. 0 if none wait, or if today's notice was
   * given. Null while unknown.
   */
  readonly claim: () => number | null;
  readonly memory: Pick<SessionMemory, "part">;
}

const nudgeState = z.object({ hasLooked: z.boolean() });

/**
 * Shows the user one line when a session starts and rules wait for review: once a day, for any agent. A
 * service that this session's start launched first receives the session's first prompt.
 */
export function rulesNudgeHandler({ claim, memory }: NudgePorts): HookHandler<Name> {
  const sessions = memory.part("rules-nudge", { schema: nudgeState, empty: { hasLooked: false } });

  const answer = (event: EventNamed<Name>, about: HookContext = defaultHookContext): HookAnswer | null => {
    const { program, isAttended } = about;
    // Nobody reads a message to a subagent, a script or a compaction, and Copilot CLI shows no hook output.
    const isRead =
      event.agent_id === undefined && isAttended && isHonoured("notice", event.hook_event_name, program);
    const isPrompt = event.hook_event_name === "UserPromptSubmit";
    if (!isRead || (!isPrompt && event.source === "compact")) return null;
    if (isPrompt && sessions.of(event.session_id).hasLooked) return null;
    const waiting = claim();
    if (isPrompt && waiting !== null) sessions.set(event.session_id, { hasLooked: true });
    return waiting === null || waiting === 0 ? null : { notice: describeNudge(waiting), rule: "rules-wait" };
  };

  return { name: "rules", events, budget: 200, answer };
}

function describeNudge(waiting: number): string {
  const what = waiting === 1 ? "1 rule for your agents waits" : `${waiting} rules for your agents wait`;
  return `Context Purser: ${what} for you: Review Rules in VS Code, or purser rules list in a terminal.`;
}
