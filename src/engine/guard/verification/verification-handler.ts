import * as z from "zod/mini";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";
import { type HookAnswer, type EventNamed, toolCallOf } from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { FindingDelivery } from "../delivery.ts";
import { actionOf } from "../work/ended-action.ts";
import { noFacts, shellOf, type CommandFacts, type ReadCommand } from "../work/command-facts.ts";
import { reportsFailure } from "./check-outcome.ts";
import {
  afterChecks,
  afterEdit,
  noDebt,
  uncheckedEdits,
  verificationDebt,
  type VerificationDebt,
} from "./debt.ts";
import { type ProjectCheck, describeUnchecked } from "./project-checks.ts";
import { uncheckedEdits as rule } from "./verification-rules.ts";

const events = ["PostToolUse", "PostToolUseFailure", "PostToolBatch"] as const;
type Name = (typeof events)[number];
type Ended = EventNamed<"PostToolUse" | "PostToolUseFailure">;

export interface VerificationPorts {
  readonly delivery: Pick<FindingDelivery, "deliver" | "isSending">;
  readonly memory: Pick<SessionMemory, "part">;
  readonly read: ReadCommand;
  /** Returns the checks of a folder's project. */
  readonly checksOf: (folder: string | null) => Promise<readonly ProjectCheck[]>;
  /** Returns the number of unchecked edits before advice is sent. */
  readonly threshold: (session: string) => number;
}

/** Factor by which the number of edits before the next advice grows with each advice. */
const patience = 2;
const maxTimes = 8;
/** Maximum ids of calls that a batch may report again. */
const maxSeen = 500;
/** Maximum ids of edits and checks that must not be counted again after a restart of the service. */
const maxCounted = 50;
const maxIdLength = 200;

const remembered = z.extend(verificationDebt, {
  counted: z._default(z.array(z.string().check(z.maxLength(maxIdLength))).check(z.maxLength(maxCounted)), []),
});
type Remembered = Readonly<z.infer<typeof remembered>>;

/**
 * Follows code edits and the checks after them, in a session with its subagents, which share the project's files. After a number of
 * unchecked edits, the agent receives advice with the project's checks. The gate at a turn's end uses the same state.
 */
export class Verification {
  readonly #ports: VerificationPorts;
  readonly #debts: PerSession<Remembered>;
  readonly #seen = new Set<string>();
  readonly handler: HookHandler<Name>;

  constructor(ports: VerificationPorts) {
    this.#ports = ports;
    const empty = { ...noDebt, counted: [] };
    this.#debts = ports.memory.part("verification", { schema: remembered, empty });
    this.handler = {
      name: "verification",
      events,
      budget: 150,
      answer: (event, about = defaultHookContext) => this.#answer(event, about),
    };
  }

  /** Returns a session's edits and checks. */
  of(session: string): VerificationDebt {
    return this.#debts.of(session);
  }

  async #answer(event: EventNamed<Name>, about: HookContext): Promise<HookAnswer | null> {
    const ended = this.#endedIn(event);
    // An interrupted call has no known effect or result.
    const finished = ended.filter((each) => !("is_interrupt" in each && each.is_interrupt === true));
    const facts = await Promise.all(finished.map((each) => this.#factsOf(each)));
    // No await from here to the update: other calls of the session may end in between.
    const before = this.#debts.of(event.session_id);
    const after = finished.reduce((debt, each, at) => counted(debt, each, facts[at] ?? noFacts), before);
    if (after === before) return null;
    const edits = uncheckedEdits(after);
    const folder = event.cwd ?? null;
    // Observed advice never reached the agent. It does not delay advice once the family is on.
    const isSending = this.#ports.delivery.isSending(rule.family, folder, event.session_id);
    const times = isSending ? after.told : after.told + after.unsaid;
    const limitAfter = (sent: number) => this.#ports.threshold(event.session_id) * patience ** sent;
    const isDue = after.edits > before.edits && edits >= limitAfter(times);
    if (!isDue) {
      this.#debts.set(event.session_id, after);
      return null;
    }
    let next = Math.min(times + 1, maxTimes);
    while (next < maxTimes && edits >= limitAfter(next)) next += 1;
    this.#debts.set(event.session_id, {
      ...after,
      ...(isSending ? { told: next, unsaid: 0 } : { unsaid: next - after.told }),
    });
    const checks = await this.#ports.checksOf(folder);
    const files = after.unverified.slice(-edits);
    const finding = {
      rule: rule.id,
      family: rule.family,
      text: describeUnchecked({ edits, files }, checks, event.cwd),
      excerpt: files.slice(-3).join(" "),
      about: String(next),
    };
    return this.#ports.delivery.deliver(event, [finding], about);
  }

  /** Claude Code reports each call, and then all calls of a batch again. */
  #endedIn(event: EventNamed<Name>): Ended[] {
    const calls: Ended[] =
      event.hook_event_name === "PostToolBatch"
        ? (event.tool_calls ?? []).map((call) => ({
            ...event,
            ...call,
            hook_event_name: "PostToolUse" as const,
          }))
        : [event];
    const { counted } = this.#debts.of(event.session_id);
    return calls.filter(({ session_id: session, tool_use_id: use }) => {
      if (use === undefined) return true;
      if (counted.includes(use)) return false;
      const key = `${session} ${use}`;
      if (this.#seen.has(key)) return false;
      this.#seen.add(key);
      const [oldest] = this.#seen;
      if (this.#seen.size > maxSeen && oldest !== undefined) this.#seen.delete(oldest);
      return true;
    });
  }

  async #factsOf(event: Ended): Promise<CommandFacts> {
    const call = toolCallOf(event);
    if (call.kind !== "command" || call.command === null) return noFacts;
    return await this.#ports.read(call.command, event.cwd ?? null, shellOf(call.tool));
  }
}

/** Returns the debt after a call, and remembers a changed debt. */
function counted(before: Remembered, event: Ended, facts: CommandFacts): Remembered {
  const after = afterCall(before, event, facts);
  const { tool_use_id: use } = event;
  if (after === before) return before;
  if (use === undefined || use.length > maxIdLength) return { ...before, ...after };
  return { ...before, ...after, counted: [...before.counted, use].slice(-maxCounted) };
}

function afterCall(debt: VerificationDebt, event: Ended, { checks, writes }: CommandFacts): VerificationDebt {
  const call = toolCallOf(event);
  const isFailed = actionOf(event).outcome === "failed";
  if (call.kind === "edit") return isFailed ? debt : afterEdit(debt, [call.file ?? "a file"]);
  if (call.kind === "command") {
    const hasFailed = isFailed || ("tool_response" in event && reportsFailure(event.tool_response));
    const command = (call.command ?? "").replaceAll(/\s+/gu, " ");
    return afterChecks(isFailed ? debt : afterEdit(debt, writes), { kinds: checks, command, hasFailed });
  }
  return isLook(call.tool)
    ? afterChecks(debt, { kinds: ["test"], command: call.tool, hasFailed: isFailed })
    : debt;
}

/** Tests whether a tool of an MCP server checks something. */
function isLook(tool: string): boolean {
  return tool.startsWith("mcp__") && /diagnostics|test|build|lint/iu.test(tool);
}
