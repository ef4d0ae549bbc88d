import * as z from "zod/mini";
import type { SessionMemory } from "../base/per-session.ts";
import {
  noWarnings,
  stepWarning,
  warningOf,
  warningState,
  type AdviceFigures,
  type WarningEvent,
  type WarningState,
} from "./advice.ts";
import { defaultGuardSettings, type GuardSettings } from "../settings/guard.ts";
import type { HookAnswer } from "./event/hooks-answer.ts";
import type { EventNamed } from "./event/event.ts";
import { isHonoured } from "./event/write-answer.ts";
import { defaultHookContext, type HookHandler } from "./hooks-handler.ts";
import type { HookCaller } from "./program.ts";
import { wholeNumber } from "../base/format.ts";
import type { Advice } from "../sessions/advice.ts";

type GivenAdvice = Exclude<Advice, "CONTINUE">;

const meaning = {
  WRAP_UP: "finish the step in hand and wrap up",
  END_TURN: "end the turn here, and leave the rest to a new session",
} satisfies Record<GivenAdvice, string>;

/** A subagent has no turn to end, but a caller that waits for its report. */
const meaningForSubagents = {
  WRAP_UP: "finish the step in hand and report back",
  END_TURN: "report back now what is done and what is left",
} satisfies Record<GivenAdvice, string>;

interface SentenceOptions {
  /** False where the agent already gives its model the figures. */
  readonly hasFigures?: boolean;
  readonly isSubagent?: boolean;
}

/**
 * Returns the agent's message: one factual sentence in fewer than 60 tokens. A command would be taken for
 * prompt injection. The text stays in the transcript, so it names the time it describes.
 */
export function adviceSentence(
  advice: GivenAdvice,
  { tokens, window }: Pick<AdviceFigures, "tokens" | "window">,
  { hasFigures = true, isSubagent = false }: SentenceOptions = {},
): string {
  const what = (isSubagent ? meaningForSubagents : meaning)[advice];
  if (!hasFigures) return `Context Purser's advice at this point is ${advice}: ${what}.`;
  const left = Math.max(0, Math.floor(100 - (100 * tokens) / window));
  const context = isSubagent ? "this subagent's own context" : "the context";
  return (
    `At this point ${context} holds ${wholeNumber(tokens)} of ${wholeNumber(window)} tokens (${left}% left); ` +
    `Context Purser's advice is ${advice}: ${what}.`
  );
}

/**
 * Returns whether the agent's own note to its model gives the tokens left in the context. Claude Code can be
 * set to count down from a budget far larger than any window. That says nothing about the context, so the
 * figures are still sent.
 */
export function isReportedByAgent({ tokens, window, noteLeft }: AdviceFigures): boolean {
  return noteLeft !== null && Math.abs(window - tokens - noteLeft) <= window * likeness;
}

/** The agent may reserve what its answer needs, or count a step more or less. Share of the window. */
const likeness = 0.2;

const events = ["SessionStart", "PreToolUse", "PostToolUse", "PostToolBatch", "PostCompact"] as const;
type Name = (typeof events)[number];

export interface AdvicePorts {
  /** Returns how full a session's or a subagent's context is now; undefined where unknown. */
  readonly adviceOf: (sessionId: string, agentId?: string) => AdviceFigures | undefined;
  readonly memory: Pick<SessionMemory, "part">;
  /** Whether agents in a session of a folder get warnings at all. */
  readonly isOn?: (folder: string | null, session: string) => boolean;
  /** Calls between checks of the figures, where the agent does not report batches of tools. */
  readonly everyCalls?: () => number;
  /** Whether warnings repeat figures that the agent already gives its model. */
  readonly reminder?: () => GuardSettings["totalTokensReminder"];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Maximum subagents per session. Beyond it, the one with the oldest last event is dropped. */
const maxAgents = 100;
/** An agent with a longer id is not warned. Characters. */
const maxIdLength = 256;

const sessionWarnings = z.object({
  main: warningState,
  agents: z
    .array(z.object({ id: z.string().check(z.maxLength(maxIdLength)), state: warningState }))
    .check(z.maxLength(maxAgents)),
});
type SessionWarnings = z.infer<typeof sessionWarnings>;

const always = () => true;
const usualReminder = () => defaultGuardSettings.totalTokensReminder;
const usualCalls = () => defaultGuardSettings.warnEveryCalls;

/**
 * Sends the agent advice to wrap up and to end its turn: each once until a compaction. A subagent gets only
 * advice on its own context.
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

  const answer = (event: EventNamed<Name>, { program } = defaultHookContext): HookAnswer | null => {
    const { session_id: id, agent_id: agentId } = event;
    const happened = happeningOf(event, program, now());
    if (happened === null || (agentId?.length ?? 0) > maxIdLength) return null;
    const known = sessions.of(id);
    const { state, isCheckDue: look } = stepWarning(stateOf(known, agentId), happened, everyCalls());
    const isDelivered = isHonoured("context", event.hook_event_name, program);
    const figures = look && isDelivered ? adviceOf(id, agentId) : undefined;
    const isWarned = figures !== undefined && isOn(figures.folder, id);
    const warning = isWarned ? warningOf(state, figures, now()) : null;
    sessions.set(id, withState(known, agentId, warning?.state ?? state));
    if (figures === undefined || warning === null) return null;
    const mode = reminder();
    const hasFigures = mode === "always" || (mode === "auto" && !isReportedByAgent(figures));
    const isSubagent = agentId !== undefined;
    const context = adviceSentence(warning.advice, figures, { hasFigures, isSubagent });
    return { context, rule: warning.advice };
  };

  return { name: "advice", events, budget: 200, hearsNotifications: true, answer };
}

function stateOf({ main, agents }: SessionWarnings, agentId: string | undefined): WarningState {
  if (agentId === undefined) return main;
  return agents.find(({ id }) => id === agentId)?.state ?? noWarnings;
}

/** Keeps the subagent of the latest event last. */
function withState(
  known: SessionWarnings,
  agentId: string | undefined,
  state: WarningState,
): SessionWarnings {
  if (agentId === undefined) return { ...known, main: state };
  const others = known.agents.filter(({ id }) => id !== agentId);
  return { ...known, agents: [...others, { id: agentId, state }].slice(-maxAgents) };
}

/**
 * Counts Claude Code's calls before they run, as their end may not be reported. Counts other agents' calls
 * after, as all of them report it.
 */
function happeningOf(event: EventNamed<Name>, program: HookCaller, at: number): WarningEvent | null {
  const isClaude = program === "claude-code";
  switch (event.hook_event_name) {
    case "PostCompact":
      return { kind: "compacted", at };
    case "PostToolBatch":
      return { kind: "batch" };
    case "PreToolUse":
      return isClaude ? { kind: "call" } : null;
    case "PostToolUse":
      return isClaude ? null : { kind: "call" };
    case "SessionStart":
      if (event.source === "compact") return { kind: "compacted", at };
      return { kind: "resumed", at };
  }
}
