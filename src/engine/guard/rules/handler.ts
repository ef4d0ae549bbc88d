import * as z from "zod";
import type { SessionMemory } from "../../base/per-session.ts";
import type { HookAnswer } from "../../hooks/event/answer.ts";
import type { EventNamed } from "../../hooks/event/event.ts";
import type { HookAbout, HookHandler } from "../../hooks/handler.ts";
import { nudgeInWords } from "./words.ts";

const events = ["SessionStart", "UserPromptSubmit"] as const;
type Name = (typeof events)[number];

export interface NudgePorts {
  /** How many rules wait, which is told now; 0 where none do, or where somebody told it today; null where that is not known yet. */
  readonly claim: () => number | null;
  readonly memory: Pick<SessionMemory, "part">;
}

const looked = z.object({ hasLooked: z.boolean() });

/**
 * One line for the user when a session begins and rules wait for them, once a day, whatever agent it is. A service that a session's start
 * has only begun hears of that session with its first prompt.
 */
export function rulesNudgeHandler({ claim, memory }: NudgePorts): HookHandler<Name> {
  const sessions = memory.part("rules-nudge", { schema: looked, empty: { hasLooked: false } });

  const answer = (event: EventNamed<Name>, about?: HookAbout): HookAnswer | null => {
    // Nobody reads what a subagent, a script or a compaction is told, and Copilot CLI shows no line of a hook's.
    const isRead =
      event.agent_id === undefined && about?.isAttended !== false && about?.program !== "copilot";
    const isPrompt = event.hook_event_name === "UserPromptSubmit";
    if (!isRead || (!isPrompt && event.source === "compact")) return null;
    if (isPrompt && sessions.of(event.session_id).hasLooked) return null;
    const waiting = claim();
    if (isPrompt && waiting !== null) sessions.set(event.session_id, { hasLooked: true });
    return waiting === null || waiting === 0 ? null : { notice: nudgeInWords(waiting), rule: "rules-wait" };
  };

  return { name: "rules", events, budget: 200, answer };
}
