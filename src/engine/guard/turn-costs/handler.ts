import * as z from "zod";
import type { SessionMemory } from "../../base/per-session.ts";
import type { Trajectory } from "../../rules/distil/trajectory.ts";
import type { HookAnswer } from "../../hooks/event/answer.ts";
import type { EventNamed } from "../../hooks/event/event.ts";
import type { HookAbout, HookHandler } from "../../hooks/handler.ts";
import { isCostly, turnCostInWords, type TurnCost } from "./usual-turn.ts";

const events = ["UserPromptSubmit", "Stop"] as const;
type Name = (typeof events)[number];

export interface TurnCostPorts {
  readonly isOn: () => boolean;
  readonly now: () => number;
  readonly memory: Pick<SessionMemory, "part">;
  /** Processing tokens of a session and of its subagents since then; undefined where that is not known. */
  readonly spentSince: (
    sessionId: string,
    since: number,
  ) => Pick<TurnCost, "tokens" | "ofSubagents"> | undefined;
  /** What three of four turns of an agent take at most; null where that is not known yet, and is looked up. */
  readonly usual: (agent: string) => number | null;
  /** Null where the transcript cannot be read. */
  readonly trajectory: (transcript: string, since: number) => Promise<Trajectory | null>;
}

const turn = z.object({
  /** When its user asked. Milliseconds since the epoch; null where nobody has heard. */
  since: z.number().nullable(),
  /** What the dearest turn took that was told of. Processing tokens. */
  told: z.number().nonnegative(),
});

/**
 * When a turn ends that took more than its agent's turns usually take, its user is told once where the tokens went. In one session again
 * only of a turn that took more than the one told of last. It costs no token: the model is told nothing.
 */
export function turnCostHandler(ports: TurnCostPorts): HookHandler<Name> {
  const sessions = ports.memory.part("turn-cost", { schema: turn, empty: { since: null, told: 0 } });

  const stopped = async (event: EventNamed<"Stop">, agent: string): Promise<HookAnswer | null> => {
    const { session_id: id, transcript_path: transcript } = event;
    const { since, told } = sessions.of(id);
    const usual = ports.usual(agent);
    const spent = since === null ? undefined : ports.spentSince(id, since);
    if (since === null || usual === null || spent === undefined) return null;
    const cost = { ...spent, usual };
    if (!isCostly(cost) || cost.tokens <= told) return null;
    // Once, however often it stops: a gate may have it go on.
    sessions.set(id, { since: null, told: cost.tokens });
    const did = transcript === undefined ? null : await ports.trajectory(transcript, since);
    return { notice: turnCostInWords(cost, did), rule: "costly-turn" };
  };

  const answer = (
    event: EventNamed<Name>,
    about?: HookAbout,
  ): HookAnswer | null | Promise<HookAnswer | null> => {
    // Of other agents no live sessions are kept, and nobody reads what a subagent or a script is told.
    const isRead =
      event.agent_id === undefined && about?.isAttended !== false && about?.program === "claude-code";
    if (!isRead || !ports.isOn()) return null;
    const agent = event.agent_type ?? "main";
    if (event.hook_event_name === "Stop") return stopped(event, agent);
    sessions.set(event.session_id, { ...sessions.of(event.session_id), since: ports.now() });
    // Looked up while the agent works.
    ports.usual(agent);
    return null;
  };

  return { name: "turn-cost", events, budget: 500, answer };
}
