import { adviceSentence, isToldByAgent } from "./advice-sentence.ts";
import {
  noWarnings,
  stepWarning,
  warningOf,
  type AdviceFigures,
  type WarningEvent,
  type WarningState,
} from "./advice-warning.ts";
import { defaultGuardSettings, type GuardSettings } from "./guard-settings.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { EventNamed } from "./hook-event.ts";
import type { HookHandler } from "./hook-handler.ts";

const events = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolBatch",
  "PostCompact",
] as const;
type Name = (typeof events)[number];

export interface AdvicePorts {
  /** How full a session's context is at this moment; undefined where nothing is known of it. */
  readonly adviceOf: (sessionId: string) => AdviceFigures | undefined;
  /** Where the agent does not tell of batches of tools, figures are looked at every so many calls. */
  readonly everyCalls?: () => number;
  /** Whether figures are told that the agent tells already. */
  readonly reminder?: () => GuardSettings["totalTokensReminder"];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const usualReminder = () => defaultGuardSettings.totalTokensReminder;
const usualCalls = () => defaultGuardSettings.warnEveryCalls;
/** A session that ends without a word is forgotten when so many others came after it. */
const mostSessions = 500;

/** Tells the agent, in its context, when it is time to wrap up and when to end its turn: once each, until a compaction. */
export function adviceHandler({
  adviceOf,
  now,
  everyCalls = usualCalls,
  reminder = usualReminder,
}: AdvicePorts): HookHandler<Name> {
  const sessions = new Map<string, WarningState>();

  const keep = (id: string, state: WarningState) => {
    // The one heard of last comes last.
    sessions.delete(id);
    sessions.set(id, state);
    const [oldest] = sessions.keys();
    if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest);
  };

  const answer = (event: EventNamed<Name>): HookAnswer | null => {
    // A subagent's context is its own, and what is known here is the session's.
    if (event.agent_id !== undefined) return null;
    const id = event.session_id;
    const happened = happeningOf(event, now());
    if (event.hook_event_name === "SessionEnd") sessions.delete(id);
    if (happened === null) return null;
    const { state, look } = stepWarning(sessions.get(id) ?? noWarnings, happened, everyCalls());
    keep(id, state);
    const figures = look ? adviceOf(id) : undefined;
    const warning = figures === undefined ? null : warningOf(state, figures);
    if (figures === undefined || warning === null) return null;
    keep(id, warning.state);
    const told = reminder();
    const hasFigures = told === "always" || (told === "auto" && !isToldByAgent(figures));
    return { context: adviceSentence(warning.advice, figures, hasFigures), rule: warning.advice };
  };

  return { name: "advice", events, budget: 500, answer };
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
    case "SessionEnd":
      return null;
  }
}
