import type { BudgetAnswer } from "../budget/answer.ts";
import { answerInWords } from "../budget/answer-in-words.ts";
import type { Budgeted } from "../budget/budget-faults.ts";
import type { BudgetMode } from "../budget/budget-mode.ts";
import { verdictOn } from "../budget/weigh.ts";
import { spawnedAgent } from "./budget-spawn.ts";
import type { SessionMemory } from "../base/per-session.ts";
import { OnceTold } from "./once-told.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { EventNamed } from "./hook-event.ts";
import type { HookHandler } from "./hook-handler.ts";

const events = ["UserPromptSubmit", "PreToolUse", "SubagentStart", "SubagentStop"] as const;
type Name = (typeof events)[number];

/** Who is about to use tokens, as a hook tells. */
export interface HookSpender {
  readonly sessionId: string;
  /** As the ledger calls them: `main`, or a subagent's type. */
  readonly agentId: string;
  /** Absolute. */
  readonly cwd: string;
}

export interface BudgetHandlerPorts {
  /** What the user wants done when a limit is passed. */
  readonly mode: () => BudgetMode;
  /** Whether it may go on with what is under way. Null where nothing is limited. */
  readonly check: (spender: HookSpender) => Promise<Budgeted<BudgetAnswer> | null>;
  /** Whether a subagent may begin. What it is expected to use is set aside, if it may and limits are hard, until it shows. */
  readonly begin: (spender: HookSpender, mode: BudgetMode) => Promise<Budgeted<BudgetAnswer> | null>;
  /** A subagent of this type has begun to use tokens of its own, or has ended. */
  readonly begun: (spender: HookSpender) => void;
  readonly onProblem: (message: string) => void;
  /** Where it is remembered who was told what. */
  readonly memory: Pick<SessionMemory, "part">;
}

/** Longer than the disk ever takes; the agent waits. Milliseconds. */
const longest = 800;

/**
 * Holds agents to the budgets of their project.
 *
 * - Before a prompt and before a tool's use it looks at what was used up to now: that a call under way costs more is not known
 *   before it has been made, so a limit is passed by one response at most for each agent.
 * - Before a subagent is begun, which is the `Agent` tool's use, it also looks at what such an agent usually takes, and sets that
 *   aside, so that of several begun at once no more begin than there is room for. `SubagentStart` comes too late to stop it: the
 *   agent passes over everything but context there, so the subagent is told, and its own tools are refused.
 *
 * It stops a call only where the user has set limits to be hard: when one is passed, and when a budget is damaged, since what it
 * limits is not known then. Whatever else goes wrong stops nobody.
 */
export function budgetHandler(ports: BudgetHandlerPorts): HookHandler<Name> {
  const told = new OnceTold(ports.memory, "budgets-told");
  const begun = new OnceTold(ports.memory, "budgets-begun");

  const answer = async (event: EventNamed<Name>): Promise<HookAnswer | null> => {
    const spender = spenderIn(event);
    if (spender === null) return null;
    const { agent_id: agentId, hook_event_name: name } = event;
    if (agentId !== undefined && name !== "SubagentStart")
      if (begun.isNew(event.session_id, agentId, "begun")) ports.begun(spender);
    const mode = ports.mode();
    if (mode === "off" || name === "SubagentStop") return null;
    const own = answerFor(await ports.check(spender), { mode, event, spender });
    if (own !== null || event.hook_event_name !== "PreToolUse") return own;
    const child = spawnedAgent(event);
    if (child === null) return null;
    const subagent = { ...spender, agentId: child };
    return answerFor(await ports.begin(subagent, mode), { mode, event, spender: subagent });
  };

  const answerFor = (
    checked: Budgeted<BudgetAnswer> | null,
    {
      mode,
      event,
      spender,
    }: { readonly mode: BudgetMode; readonly event: EventNamed<Name>; readonly spender: HookSpender },
  ): HookAnswer | null => {
    if (checked === null) return null;
    const session = event.session_id;
    const who = `${event.agent_id ?? ""} ${spender.agentId}`;
    if (!checked.ok) {
      if (checked.reason !== "corrupt") {
        ports.onProblem(`Budgets were not asked: ${checked.detail}`);
        return null;
      }
      const words = `[budget_corrupt] What may be spent is not known: ${checked.detail}`;
      if (mode === "hard") return refusal(event, words, "budget:corrupt");
      return told.isNew(session, who, words) ? warning(words, "budget:corrupt") : null;
    }
    const { reason, levels } = checked.value;
    if (reason === "ok") return null;
    const words = `[${reason}] ${answerInWords(checked.value)}`;
    if (mode === "hard" && reason !== "warning_threshold") return refusal(event, words, `budget:${reason}`);
    const what = levels
      .filter((state) => verdictOn(state) !== "ok")
      .map((state) => [state.from, state.level, state.since ?? state.runId, verdictOn(state)].join(" "));
    return told.isNew(session, who, what.join(",")) ? warning(words, `budget:${reason}`) : null;
  };

  return { name: "budget", events, budget: longest, answer };
}

/** Null where no project is told, as some hooks do not. */
function spenderIn({ session_id, agent_id, agent_type, cwd }: EventNamed<Name>): HookSpender | null {
  if (cwd === undefined) return null;
  const agentId = agent_id === undefined ? "main" : (agent_type ?? "subagent");
  return { sessionId: session_id, agentId, cwd };
}

function refusal({ hook_event_name: name }: EventNamed<Name>, words: string, rule: string): HookAnswer {
  if (name === "PreToolUse") return { permission: { decision: "deny", reason: words }, rule };
  return name === "UserPromptSubmit" ? { block: words, rule } : { context: words, rule };
}

/** To the agent, and to who reads along. */
function warning(words: string, rule: string): HookAnswer {
  return { context: words, notice: words, rule };
}
