import type { PerSession, SessionMemory } from "../../base/per-session.ts";
import type { HookAnswer } from "../../hooks/event/answer.ts";
import type { EventNamed } from "../../hooks/event/event.ts";
import { toolCallOf } from "../../hooks/event/tool-call.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/handler.ts";
import type { GuardVoice } from "../voice.ts";
import { actionOf } from "../work/ended-action.ts";
import { noFacts, shellOf, type CommandFacts, type ReadCommand } from "../work/command-facts.ts";
import { tellsFailure } from "./check-outcome.ts";
import {
  afterChecks,
  afterEdit,
  noDebt,
  uncheckedEdits,
  verificationDebt,
  type VerificationDebt,
} from "./debt.ts";
import { describeUnchecked } from "./describe.ts";
import type { ProjectCheck } from "./project-checks.ts";
import { uncheckedEdits as rule } from "./rules.ts";

const events = ["PostToolUse", "PostToolUseFailure", "PostToolBatch"] as const;
type Name = (typeof events)[number];
type Ended = EventNamed<"PostToolUse" | "PostToolUseFailure">;

export interface VerificationPorts {
  readonly voice: Pick<GuardVoice, "tell">;
  readonly memory: Pick<SessionMemory, "part">;
  readonly read: ReadCommand;
  /** The checks that the project of a folder has. */
  readonly checksOf: (folder: string | null) => Promise<readonly ProjectCheck[]>;
  /** The number of edits without a check before an agent is told. */
  readonly threshold: (session: string) => number;
}

/** Each time that it was told, an agent has this many times more edits before it is told again. */
const patience = 2;
/** Ids of calls that were told one by one, and are told again with their batch. */
const mostSeen = 500;

/**
 * Follows edits of code and the checks that run after them, in a session with all of its subagents, which share the project's files. At a
 * number of edits of which nothing has been checked, the agent is told, with the checks that the project has. Keeps one notion of what is
 * unverified, which the gate at a turn's end uses too.
 */
export class Verification {
  readonly #ports: VerificationPorts;
  readonly #debts: PerSession<VerificationDebt>;
  readonly #seen = new Set<string>();
  readonly handler: HookHandler<Name>;

  constructor(ports: VerificationPorts) {
    this.#ports = ports;
    this.#debts = ports.memory.part("verification", { schema: verificationDebt, empty: noDebt });
    this.handler = {
      name: "verification",
      events,
      budget: 150,
      answer: (event, about = defaultHookContext) => this.#answer(event, about),
    };
  }

  /** Returns what a session has edited, and what was checked of it. */
  of(session: string): VerificationDebt {
    return this.#debts.of(session);
  }

  async #answer(event: EventNamed<Name>, about: HookContext): Promise<HookAnswer | null> {
    const ended = this.#endedIn(event);
    // An interrupted call neither changed nor showed anything that is known.
    const finished = ended.filter((each) => !("is_interrupt" in each && each.is_interrupt === true));
    const facts = await Promise.all(finished.map((each) => this.#factsOf(each)));
    // From here on nothing is awaited, as other calls of the session may end meanwhile.
    const before = this.#debts.of(event.session_id);
    const after = finished.reduce((debt, each, at) => afterCall(debt, each, facts[at] ?? noFacts), before);
    if (after === before) return null;
    const edits = uncheckedEdits(after);
    const most = this.#ports.threshold(event.session_id) * patience ** after.told;
    const isDue = after.edits > before.edits && edits >= most;
    const told = isDue ? Math.min(after.told + 1, 8) : after.told;
    this.#debts.set(event.session_id, { ...after, told });
    if (!isDue) return null;
    const checks = await this.#ports.checksOf(event.cwd ?? null);
    const files = after.unverified.slice(-edits);
    const finding = {
      rule: rule.id,
      family: rule.family,
      text: describeUnchecked({ edits, files }, checks, event.cwd),
      excerpt: files.slice(-3).join(" "),
      about: String(told),
    };
    return this.#ports.voice.tell(event, [finding], about);
  }

  /** Claude Code tells of each call, and again of all that it made at once. */
  #endedIn(event: EventNamed<Name>): Ended[] {
    const calls: Ended[] =
      event.hook_event_name === "PostToolBatch"
        ? (event.tool_calls ?? []).map((call) => ({
            ...event,
            ...call,
            hook_event_name: "PostToolUse" as const,
          }))
        : [event];
    return calls.filter(({ session_id: session, tool_use_id: use }) => {
      if (use === undefined) return true;
      const key = `${session} ${use}`;
      if (this.#seen.has(key)) return false;
      this.#seen.add(key);
      const [oldest] = this.#seen;
      if (this.#seen.size > mostSeen && oldest !== undefined) this.#seen.delete(oldest);
      return true;
    });
  }

  async #factsOf(event: Ended): Promise<CommandFacts> {
    const call = toolCallOf(event);
    if (call.kind !== "command" || call.command === null) return noFacts;
    return await this.#ports.read(call.command, event.cwd ?? null, shellOf(call.tool));
  }
}

function afterCall(debt: VerificationDebt, event: Ended, { checks, writes }: CommandFacts): VerificationDebt {
  const call = toolCallOf(event);
  const isFailed = actionOf(event).outcome === "failed";
  if (call.kind === "edit") return isFailed ? debt : afterEdit(debt, [call.file ?? "a file"]);
  if (call.kind === "command") {
    const hasFailed = isFailed || ("tool_response" in event && tellsFailure(event.tool_response));
    const command = (call.command ?? "").replaceAll(/\s+/gu, " ");
    return afterChecks(isFailed ? debt : afterEdit(debt, writes), { kinds: checks, command, hasFailed });
  }
  return isLook(call.tool)
    ? afterChecks(debt, { kinds: ["test"], command: call.tool, hasFailed: isFailed })
    : debt;
}

/** True for a tool of an MCP server that shows whether things work. */
function isLook(tool: string): boolean {
  return tool.startsWith("mcp__") && /diagnostics|test|build|lint/iu.test(tool);
}
