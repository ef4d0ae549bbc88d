import * as z from "zod/mini";
import type { SessionMemory } from "../../base/per-session.ts";
import { joinSentences, sentence, type Sentence } from "../../base/language.ts";
import type { Clock } from "../../base/timing.ts";
import { isHonoured, toolCallOf, type HookAnswer } from "../../hooks/event.ts";
import { defaultHookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import { isTaskNotification } from "../../transcripts/claude.ts";
import type { BudgetMode } from "../../settings/guard.ts";
import type { FanOut } from "../budget.ts";
import type { HookSpender } from "../check/check.ts";
import type { BudgetEvent } from "./budgets-handler.ts";
import {
  atDone,
  atPrompt,
  atSpawn,
  atStart,
  atStop,
  fanOutSchema,
  noFanOut,
  type Passed,
} from "./fan-out.ts";

interface FanOutPorts {
  readonly mode: () => BudgetMode;
  /** The limits on subagents of the budget that a session belongs to; null without any. */
  readonly limitsOf: (
    spender: HookSpender,
  ) => Promise<{ readonly from: string; readonly limits: FanOut } | null>;
  readonly memory: Pick<SessionMemory, "part">;
  readonly clock: Clock;
}

const namedModel = z.object({ model: z.string() });

/**
 * Asks a session's user once for each limit on subagents that a prompt passes. The agent starts many at once, and each call is
 * answered at once: while the question is open, other calls beyond the limit are refused, and the agent makes them again. A limit that
 * its user lifts stays lifted until their next prompt.
 */
export function fanOutAnswer({
  mode,
  limitsOf,
  memory,
  clock,
}: FanOutPorts): HookHandler<BudgetEvent>["answer"] {
  const states = memory.part("budgets-fan-out", { schema: fanOutSchema, empty: noFanOut });

  return async (event, { program, isAttended } = defaultHookContext): Promise<HookAnswer | null> => {
    const { session_id: session, agent_id: id, agent_type: type = "" } = event;
    const before = states.of(session);
    const at = clock.now();
    switch (event.hook_event_name) {
      case "PostToolBatch":
        return null;
      case "UserPromptSubmit":
        if (!isTaskNotification(event.prompt ?? "")) states.set(session, atPrompt(before));
        return null;
      case "SubagentStart":
        if (id !== undefined) states.set(session, atStart(before, { id, type, at }));
        return null;
      case "SubagentStop":
        if (id !== undefined) states.set(session, atStop(before, id));
        return null;
      case "PostToolUse":
        states.set(session, atDone(before, event.tool_use_id ?? ""));
        return null;
      case "PreToolUse": {
        const call = toolCallOf(event);
        const { cwd, tool_use_id: use = "" } = event;
        if (call.kind !== "spawn" || cwd === undefined || mode() === "off") return null;
        const found = await limitsOf({
          sessionId: session,
          agentId: id ?? "main",
          agentType: type || null,
          cwd,
        });
        if (found === null) return null;
        const model = namedModel.safeParse(event.tool_input).data?.model ?? null;
        // Another call may have been answered in between.
        const spawn = { use, type: call.agentType, by: id ?? null, model, at };
        const { state, verdict } = atSpawn(states.of(session), found.limits, spawn);
        states.set(session, state);
        if (verdict.decision === "start") return null;
        const rule = "budget:fan_out";
        if (verdict.decision === "wait") return { permission: { decision: "deny", reason: waitWords }, rule };
        const words = question(found.from, verdict.passed, model).text;
        if (isAttended && isHonoured("permission", "PreToolUse", program))
          return { permission: { decision: "ask", reason: words }, rule };
        return mode() === "hard"
          ? { permission: { decision: "deny", reason: words }, rule }
          : { context: words, notice: words, rule };
      }
    }
  };
}

const waitWords =
  "[fan_out] Your user is being asked whether more subagents may start. When the first of them has started, start this one again.";

const options: Readonly<Record<Passed["kind"], string>> = {
  atOnce: "--at-once",
  perPrompt: "--per-prompt",
  depth: "--depth",
  models: "--ask-models",
};

function question(from: string, passed: readonly Passed[], model: string | null): Sentence {
  const reasons = passed.map(({ kind, reached }) => {
    switch (kind) {
      case "atOnce":
        return sentence("{0} subagents would run at once", reached);
      case "perPrompt":
        return sentence("it would be subagent {0} of this prompt", reached);
      case "depth":
        return sentence("it would be a subagent at depth {0}", reached);
      case "models":
        return sentence("it would run on {0}", model ?? "");
    }
  });
  return sentence(
    "[fan_out] Beyond a limit of the budget {from}: {reasons}. If you allow it, the limit is lifted until your next prompt. To change it: {command}",
    {
      from,
      reasons: joinSentences(reasons, "; "),
      command: `purser budget set ${from} ${passed.map(({ kind }) => options[kind]).join(" ")}`,
    },
  );
}
