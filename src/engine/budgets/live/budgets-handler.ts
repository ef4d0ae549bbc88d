import * as z from "zod/mini";
import type { BudgetAnswer } from "../check/check-answer.ts";
import { verdictOn } from "../check/stop-reason.ts";
import { describeAnswer } from "../check/describe-answer.ts";
import type { Budgeted } from "../faults.ts";
import type { BudgetMode } from "../../settings/guard.ts";
import { isTaskNotification } from "../../transcripts/claude.ts";
import type { SessionMemory } from "../../base/per-session.ts";
import { type HookHandler, defaultHookContext, NotificationMemory } from "../../hooks/hooks-handler.ts";
import {
  isHonoured,
  type EventNamed,
  type HookAnswer,
  isNestedCall,
  isScript,
  toolCallOf,
} from "../../hooks/event.ts";
import type { HookCaller } from "../../hooks/program.ts";
import type { HookSpender, CallRequest, CallVerdict } from "../check/check.ts";
import { estimateTokenCount } from "tokenx";

/**
 * Size of samples from the beginning, middle and end that stand for a longer text: counting it word by word
 * takes a millisecond for 5,000 characters while an agent waits. Characters.
 */
const [pieces, piece] = [3, 160];

/** Estimates a text's tokens, without knowing the model. */
export function textTokens(text: string): number {
  if (text.length <= pieces * piece) return estimateTokenCount(text);
  const middle = Math.floor((text.length - piece) / 2);
  const samples = [text.slice(0, piece), text.slice(middle, middle + piece), text.slice(-piece)];
  const tokens = samples.reduce((sum, each) => sum + estimateTokenCount(each), 0);
  return Math.round((tokens * text.length) / (pieces * piece));
}

const blocks = z.array(z.catch(z.object({ text: z.catch(z.optional(z.string()), undefined) }), {}));

/** Estimates the text tokens of a tool result: a text, or blocks of which some are text. */
export function resultTokens(result: unknown): number {
  if (typeof result === "string") return textTokens(result);
  const read = blocks.safeParse(result);
  if (!read.success) return 0;
  return read.data.reduce((sum, { text }) => sum + (text === undefined ? 0 : textTokens(text)), 0);
}

const text = z.catch(z.optional(z.string()), undefined);
const scriptOutput = z.object({ result: text, stdout: text, stderr: text });

/** Estimates the tokens of what a script hands to the model. */
function scriptTokens(response: unknown): number {
  const read = scriptOutput.safeParse(response);
  if (!read.success) return resultTokens(response);
  return Object.values(read.data).reduce((sum, part = "") => sum + textTokens(part), 0);
}

const events = [
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolBatch",
  "SubagentStart",
  "SubagentStop",
] as const;
export type BudgetEvent = (typeof events)[number];
type Name = BudgetEvent;

interface SpenderChecks {
  /** Whether the agent may continue. Null if nothing is limited. */
  check(spender: HookSpender, asked: CallRequest): Promise<Budgeted<CallVerdict> | null>;
  /**
   * Whether a subagent may start. If so, and limits are hard, reserves its expected tokens until its own
   * usage shows.
   */
  reserveSubagent(spender: HookSpender, mode: BudgetMode): Promise<Budgeted<BudgetAnswer> | null>;
  /** Reports that a subagent of this type has started to use its own tokens, or has ended. */
  releaseSubagent(spender: HookSpender): void;
}

interface BudgetHandlerPorts {
  readonly mode: () => BudgetMode;
  readonly checks: SpenderChecks;
  readonly onProblem: (message: string) => void;
  readonly memory: Pick<SessionMemory, "part">;
}

/** Time limit, longer than the disk ever takes: the agent waits for the answer. Milliseconds. */
const maxTextLength = 800;
/** Estimated size of a denial; the call that answers it carries it. Tokens. */
const denialTokens = 150;
const sumUp = {
  ended: "Sum up now: another use of a tool ends the turn.",
  denied: "Sum up now: another use of a tool is denied.",
};
const stopHere = "Stop here: every further use of a tool is denied.";

/**
 * Holds agents to the budgets of their project. Usage is known up to the last response, and the next call's
 * tokens are projected from the conversation itself, so a call that would pass a limit is not made.
 *
 * - Before a prompt, the call that it begins has to fit.
 * - After a batch of tools, before the call that carries their results, two calls have to fit: that one, and
 *   one to sum up. Where only one does, the agent gets a request to sum up, once per turn; where none does, or the
 *   agent continues all the same, the turn ends there, if the agent can be ended by a hook. Other agents than
 *   Claude Code do not report batches: after each tool the same applies.
 * - Before a tool's use the same applies, and the tool is denied. A denial alone would not be enough: the
 *   agent answers it with a call.
 * - Before a subagent begins, which is a use of the `Agent` tool, the usual tokens of such an agent have to
 *   fit and are reserved, so that of several begun at once only as many begin as there is room for.
 *   `SubagentStart` comes too late to stop it: the agent ignores everything but context there, so the
 *   subagent gets the reason, and its own tools are refused.
 *
 * Stops a call only where the user has set limits to be hard: when one would be passed, and when a budget is
 * damaged, because its limits are unknown then. No other failure stops an agent.
 */
export function budgetHandler(ports: BudgetHandlerPorts): HookHandler<Name> {
  const warned = new NotificationMemory(ports.memory, "budgets-told");
  const startNotices = new NotificationMemory(ports.memory, "budgets-begun");
  const refused = new NotificationMemory(ports.memory, "budgets-refused");

  const answer = async (
    event: EventNamed<Name>,
    { program } = defaultHookContext,
  ): Promise<HookAnswer | null> => {
    const spender = spenderIn(event);
    if (spender === null) return null;
    const { agent_id: agentId, hook_event_name: name } = event;
    if (agentId !== undefined && name !== "SubagentStart")
      if (startNotices.isNew(event.session_id, agentId, "begun")) ports.checks.releaseSubagent(spender);
    const mode = ports.mode();
    const asked = askedAt(event, mode, program);
    if (mode === "off" || asked === null) return null;
    const checked = await ports.checks.check(spender, asked);
    const own = answerFor(flat(checked), {
      mode,
      event,
      program,
      spender,
      fitsOnce: checked?.ok === true && checked.value.fitsOnce,
    });
    if (own !== null || event.hook_event_name !== "PreToolUse") return own;
    const call = toolCallOf(event);
    if (call.kind !== "spawn") return null;
    // Its id is not yet known: this placeholder differs from every agent's.
    const subagent = {
      ...spender,
      agentId: `new ${event.tool_use_id ?? ""}`.slice(0, 200),
      agentType: call.agentType,
    };
    // The main agent itself may continue.
    return answerFor(await ports.checks.reserveSubagent(subagent, mode), {
      mode,
      event,
      program,
      spender: subagent,
      fitsOnce: null,
    });
  };

  const answerFor = (
    checked: Budgeted<BudgetAnswer> | null,
    {
      mode,
      event,
      program,
      spender,
      fitsOnce,
    }: {
      readonly mode: BudgetMode;
      readonly event: EventNamed<Name>;
      readonly program: HookCaller;
      readonly spender: HookSpender;
      /** Whether the agent may answer a denial. Null if that does not apply. */
      readonly fitsOnce: boolean | null;
    },
  ): HookAnswer | null => {
    if (checked === null) return null;
    const session = event.session_id;
    const agent = event.agent_id ?? "main";
    const who = `${agent} ${spender.agentId}`;
    // A warning counts as given only where the agent reads it.
    const isNewWarning = (what: string) =>
      isHonoured("context", event.hook_event_name, program) && warned.isNew(session, who, what);
    if (!checked.ok) {
      if (checked.reason !== "corrupt") {
        ports.onProblem(`Budgets were not asked: ${checked.detail.text}`);
        return null;
      }
      const words = `[budget_corrupt] What may be spent is not known: ${checked.detail.text}`;
      if (mode === "hard") return refusal(event, words, "budget:corrupt");
      return isNewWarning(words) ? warning(words, "budget:corrupt") : null;
    }
    const { reason, levels } = checked.value;
    if (reason === "ok") return null;
    const words = `[${reason}] ${describeAnswer(checked.value).text}`;
    const rule = `budget:${reason}`;
    if (mode === "hard" && reason !== "warning_threshold") {
      const { hook_event_name: name } = event;
      const isInTurn = name === "PreToolUse" || name === "PostToolUse" || name === "PostToolBatch";
      if (!isInTurn || fitsOnce === null) return refusal(event, words, rule);
      const isFirst = refused.isNew(session, agent, event.prompt_id ?? "");
      const isEnded = isHonoured("stop", name, program);
      if (!fitsOnce || !isFirst) {
        if (isEnded) return { ...refusal(event, words, rule), stop: endMessage(words) };
        return name === "PreToolUse" ? refusal(event, words, rule) : warning(`${words}. ${stopHere}`, rule);
      }
      const last = `${words}. ${isEnded ? sumUp.ended : sumUp.denied}`;
      return name === "PreToolUse" ? refusal(event, last, rule) : warning(last, rule);
    }
    const what = levels
      .filter((state) => verdictOn(state) !== "ok")
      .map((state) => [state.from, state.level, state.since ?? state.runId, verdictOn(state)].join(" "));
    return isNewWarning(what.join(",")) ? warning(words, rule) : null;
  };

  return { name: "budget", events, budget: maxTextLength, hearsNotifications: true, answer };
}

/** Returns the calls that must fit at an event. Null if nothing is checked. */
function askedAt(event: EventNamed<Name>, mode: BudgetMode, program: HookCaller): CallRequest | null {
  const isWarnedBefore = isHonoured("context", "PreToolUse", program);
  const isAnyLeft: CallRequest = { isPrompt: false, added: 0, calls: 1, toolUse: null };
  switch (event.hook_event_name) {
    case "UserPromptSubmit": {
      const { prompt = "" } = event;
      return { isPrompt: !isTaskNotification(prompt), added: textTokens(prompt), calls: 1, toolUse: null };
    }
    case "PreToolUse":
      if (mode === "hard")
        return { isPrompt: false, added: denialTokens, calls: 2, toolUse: writtenUse(event, program) };
      return isWarnedBefore ? isAnyLeft : null;
    case "PostToolUse": {
      // Claude Code's batches hold every tool, except a script.
      if (program === "claude-code" && !isScript(event)) return null;
      if (mode !== "hard") return isWarnedBefore ? null : isAnyLeft;
      const added = addedBy(event);
      return { isPrompt: false, added, calls: 2, toolUse: writtenUse(event, program) };
    }
    case "PostToolBatch": {
      if (mode !== "hard") return null;
      const { tool_calls: used = [] } = event;
      const added = used.reduce((sum, call) => sum + addedBy(call), 0);
      return { isPrompt: false, added, calls: 2, toolUse: used[0]?.tool_use_id ?? null };
    }
    case "SubagentStart":
      return isAnyLeft;
    case "SubagentStop":
      return null;
  }
}

type EndedCall = Pick<EventNamed<"PostToolUse">, "tool_name" | "tool_use_id" | "tool_response">;

/** Returns what an ended call adds to the context. The output of a nested call is read by its script alone. Tokens. */
function addedBy(call: EndedCall): number {
  if (isNestedCall(call)) return 0;
  return isScript(call) ? scriptTokens(call.tool_response) : resultTokens(call.tool_response);
}

/**
 * Returns the call that proves that the transcript has the last response. Only Claude Code's has nested calls
 * at once.
 */
function writtenUse(event: Pick<EndedCall, "tool_use_id">, program: HookCaller): string | null {
  const isUnwritten = isNestedCall(event) && program !== "claude-code";
  return isUnwritten ? null : (event.tool_use_id ?? null);
}

function flat(checked: Budgeted<CallVerdict> | null): Budgeted<BudgetAnswer> | null {
  return checked?.ok === true ? { ok: true, value: checked.value.answer } : checked;
}

/** Null where the event names no project, as some hooks do not. */
function spenderIn({ session_id, agent_id, agent_type, cwd }: EventNamed<Name>): HookSpender | null {
  if (cwd === undefined) return null;
  if (agent_id === undefined) return { sessionId: session_id, agentId: "main", agentType: null, cwd };
  return { sessionId: session_id, agentId: agent_id, agentType: agent_type ?? null, cwd };
}

function refusal({ hook_event_name: name }: EventNamed<Name>, words: string, rule: string): HookAnswer {
  switch (name) {
    case "PreToolUse":
      return { permission: { decision: "deny", reason: words }, rule };
    case "UserPromptSubmit":
      return { block: words, rule };
    case "PostToolUse":
    case "PostToolBatch":
      return { stop: endMessage(words), rule };
    case "SubagentStart":
    case "SubagentStop":
      return { context: words, rule };
  }
}

function endMessage(words: string): string {
  return `Context Purser ended the turn before its next call. ${words}`;
}

function warning(words: string, rule: string): HookAnswer {
  return { context: words, notice: words, rule };
}
