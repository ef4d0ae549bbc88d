import * as z from "zod";
import type { SessionMemory } from "../../base/per-session.ts";
import { adviceSentence, isToldByAgent } from "./sentence.ts";
import {
  noWarnings,
  stepWarning,
  warningOf,
  warningState,
  type AdviceFigures,
  type WarningEvent,
  type WarningState,
} from "./warning.ts";
import { defaultGuardSettings, type GuardSettings } from "../../settings/guard.ts";
import type { HookAnswer } from "../../hooks/event/answer.ts";
import type { EventNamed } from "../../hooks/event/event.ts";
import type { HookHandler } from "../../hooks/handler.ts";

const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolBatch", "PostCompact"] as const;
type Name = (typeof events)[number];

export interface AdvicePorts {
  /** How full a session's context is at this moment, or a subagent's own; undefined where nothing is known of it. */
  readonly adviceOf: (sessionId: string, agentId?: string) => AdviceFigures | undefined;
  /** Where it is remembered what agents were told. */
  readonly memory: Pick<SessionMemory, "part">;
  /** Whether agents are warned at all that work in a place. */
  readonly isOn?: (place: string | null) => boolean;
  /** Where the agent does not tell of batches of tools, figures are looked at every so many calls. */
  readonly everyCalls?: () => number;
  /** Whether figures are told that the agent tells already. */
  readonly reminder?: () => GuardSettings["totalTokensReminder"];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** More subagents of a session are not remembered: those heard of longest ago are forgotten. */
const mostAgents = 100;
/** An agent whose id is longer is not warned. Characters. */
const longestId = 256;

const sessionWarnings = z.object({
  main: warningState,
  agents: z.array(z.object({ id: z.string().max(longestId), state: warningState })).max(mostAgents),
});
type SessionWarnings = z.infer<typeof sessionWarnings>;

const always = () => true;
const usualReminder = () => defaultGuardSettings.totalTokensReminder;
const usualCalls = () => defaultGuardSettings.warnEveryCalls;

/**
 * Tells the agent, in its context, when it is time to wrap up and when to end its turn: once each, until a compaction. A subagent is
 * told of its own context, and only of that.
 */
export function adviceHandler({
  adviceOf,
  memory,
  now,
  isOn = always,
  everyCalls = usualCalls,
  reminder = usualReminder,
}: AdvicePorts): HookHandler<Name> {
  const sessions = memory.part("warnings", {
    schema: sessionWarnings,
    empty: { main: noWarnings, agents: [] },
  });

  const answer = (event: EventNamed<Name>): HookAnswer | null => {
    const { session_id: id, agent_id: agentId } = event;
    const happened = happeningOf(event, now());
    if (happened === null || (agentId?.length ?? 0) > longestId) return null;
    const known = sessions.of(id);
    const { state, look } = stepWarning(stateOf(known, agentId), happened, everyCalls());
    const figures = look ? adviceOf(id, agentId) : undefined;
    const isWarned = figures !== undefined && isOn(figures.place ?? null);
    const warning = isWarned ? warningOf(state, figures, now()) : null;
    sessions.set(id, withState(known, agentId, warning?.state ?? state));
    if (figures === undefined || warning === null) return null;
    const told = reminder();
    const hasFigures = told === "always" || (told === "auto" && !isToldByAgent(figures));
    const isSubagent = agentId !== undefined;
    const context = adviceSentence(warning.advice, figures, { hasFigures, isSubagent });
    return { context, rule: warning.advice };
  };

  return { name: "advice", events, budget: 500, answer };
}

function stateOf({ main, agents }: SessionWarnings, agentId: string | undefined): WarningState {
  if (agentId === undefined) return main;
  return agents.find(({ id }) => id === agentId)?.state ?? noWarnings;
}

/** The subagent heard of last comes last. All of its work is one turn: it is told at each threshold. */
function withState(
  known: SessionWarnings,
  agentId: string | undefined,
  state: WarningState,
): SessionWarnings {
  if (agentId === undefined) return { ...known, main: state };
  const others = known.agents.filter(({ id }) => id !== agentId);
  const own = { id: agentId, state: { ...state, wasToldInTurn: false } };
  return { ...known, agents: [...others, own].slice(-mostAgents) };
}

function happeningOf(event: EventNamed<Name>, at: number): WarningEvent | null {
  switch (event.hook_event_name) {
    case "UserPromptSubmit":
      return { kind: "turn" };
    case "PostCompact":
      return { kind: "compacted", at };
    case "PostToolBatch":
      return { kind: "batch", turn: event.prompt_id };
    case "PreToolUse":
      return { kind: "call", turn: event.prompt_id };
    case "SessionStart":
      if (event.source === "compact") return { kind: "compacted", at };
      return { kind: "resumed", at };
  }
}
