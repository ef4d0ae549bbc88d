import type { LedgerEntry } from "../ledger/entry.ts";
import { AgentNames } from "./agent-names.ts";
import { spawnedAgent } from "./budget-spawn.ts";
import type { GuardSettings } from "./guard-settings.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { EventNamed } from "./hook-event.ts";
import { plainHook, type HookAbout, type HookHandler } from "./hook-handler.ts";
import { messageIn, messageQuestion, messageTool, shownName } from "./message-text.ts";

export type QuestionEntry = Extract<LedgerEntry, { kind: "question" }>;

/** A message between agents that the user is asked about. */
export interface HeldMessage {
  readonly id: string;
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly chars: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface MessagePorts {
  readonly mode: () => GuardSettings["messages"];
  /** Asks the windows that are open; null when the agent does not wait any more. */
  readonly ask: (message: HeldMessage, signal: AbortSignal) => Promise<"allow" | "deny" | null>;
  /** What became of a message that windows may have been asked about. */
  readonly settle: (id: string, outcome: "approved" | "denied") => void;
  readonly record: (entry: QuestionEntry) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const quickEvents = ["PreToolUse", "PostToolUse", "PermissionDenied", "SubagentStart"] as const;
type Quick = (typeof quickEvents)[number];

/** What no hook tells the end of is forgotten when so many others came after it. */
const mostHeld = 500;
/** Milliseconds. */
const quickTime = 200;
/** As long as the hook is installed with, nearly: a person may be away. The terminal's prompt is there all the while. Milliseconds. */
export const windowTime = 590_000;
/** Where the answer to every question is no, none is asked. */
const unasked: readonly (string | undefined)[] = ["dontAsk"];

interface Known {
  readonly message: HeldMessage;
  readonly isAsked: boolean;
}

/**
 * Holds messages between the agents of a team for the user, where agent teams are on.
 *
 * The use of the tool is answered "ask", so the agent's own prompt comes up in its terminal. With that the agent calls the hooks of
 * `PermissionRequest`, and goes on with whichever comes first: so that hook waits for a window's answer, and waits in vain where the
 * user answers in the terminal. A session that nobody attends has no prompt, and there "ask" would be "no": its messages are
 * recorded, and not held.
 */
export class MessageGate {
  readonly quick: HookHandler<Quick>;
  readonly waiting: HookHandler<"PermissionRequest">;
  readonly #ports: MessagePorts;
  readonly #names = new AgentNames();
  /** By id, the one heard of last comes last. */
  readonly #known = new Map<string, Known>();

  constructor(ports: MessagePorts) {
    this.#ports = ports;
    this.quick = {
      ...{ name: "messages", events: quickEvents, budget: quickTime },
      answer: (event, about = plainHook) => this.#answer(event, about),
    };
    this.waiting = {
      ...{ name: "messages", events: ["PermissionRequest"], budget: windowTime },
      answer: (event, about = plainHook) => this.#wait(event, about),
    };
  }

  #answer(event: EventNamed<Quick>, about: HookAbout): HookAnswer | null {
    const { session_id: sessionId } = event;
    if (event.hook_event_name === "SubagentStart") {
      const { agent_id: agentId, agent_type: type } = event;
      if (agentId !== undefined && type !== undefined) this.#names.started(sessionId, agentId, type);
      return null;
    }
    if (event.tool_name === messageTool) return this.#message(event, about);
    const child = event.hook_event_name === "PreToolUse" ? spawnedAgent(event) : null;
    if (child !== null) this.#names.spawning(sessionId, child, event.tool_input);
    return null;
  }

  #message(event: EventNamed<Exclude<Quick, "SubagentStart">>, about: HookAbout): HookAnswer | null {
    const id = `message:${event.tool_use_id ?? ""}`;
    if (event.hook_event_name === "PreToolUse") return this.#before(event, about, id);
    const known = this.#known.get(id);
    if (known === undefined) return null;
    this.#known.delete(id);
    if (event.hook_event_name === "PermissionDenied") this.#end(known, "denied", "denied");
    else if (isRefused(event.tool_response)) this.#end(known, "failed", "approved");
    else this.#end(known, known.isAsked ? "approved" : "sent", "approved");
    return null;
  }

  #before(event: EventNamed<"PreToolUse">, about: HookAbout, id: string): HookAnswer | null {
    if (this.#ports.mode() === "off" || !about.hasTeams || event.tool_use_id === undefined) return null;
    const said = messageIn(event.tool_input);
    if (said === null) return null;
    const { session_id: sessionId, cwd = null } = event;
    const from = this.#senderOf(event);
    const to = shownName(this.#names.nameOf(sessionId, said.to) ?? said.to);
    const message = { ...said, id, sessionId, cwd, from, to, at: this.#ports.now() };
    const isAsked = about.isAttended && !unasked.includes(event.permission_mode);
    this.#keep({ message, isAsked });
    this.#record(message, "pending", null);
    if (!isAsked) return null;
    return { permission: { decision: "ask", reason: messageQuestion(from, message) }, rule: "message" };
  }

  async #wait(event: EventNamed<"PermissionRequest">, { signal }: HookAbout): Promise<HookAnswer | null> {
    const known = event.tool_name === messageTool ? this.#heldFor(event) : undefined;
    if (known === undefined) return null;
    const decision = await this.#ports.ask(known.message, signal);
    if (decision === null) return null;
    if (decision === "allow")
      return { permission: { decision, reason: "Approved in the editor" }, rule: "message" };
    this.#known.delete(known.message.id);
    this.#record(known.message, "denied", this.#ports.now());
    const { from, to } = known.message;
    return {
      permission: { decision, reason: `The user does not want ${from} to send this to ${to}` },
      rule: "message",
    };
  }

  /** The newest that says the same: a request for permission does not tell which use of the tool it is for. */
  #heldFor(event: EventNamed<"PermissionRequest">): Known | undefined {
    const said = messageIn(event.tool_input);
    const from = this.#senderOf(event);
    return [...this.#known.values()].findLast(
      ({ isAsked, message }) =>
        isAsked &&
        said !== null &&
        message.sessionId === event.session_id &&
        message.from === from &&
        message.text === said.text,
    );
  }

  #senderOf({
    session_id: sessionId,
    agent_id: agentId,
    agent_type: type,
  }: EventNamed<"PreToolUse" | "PermissionRequest">): string {
    if (agentId === undefined) return shownName(type ?? "main");
    return shownName(this.#names.nameOf(sessionId, agentId) ?? type ?? agentId);
  }

  #keep(known: Known): void {
    this.#known.delete(known.message.id);
    this.#known.set(known.message.id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostHeld && oldest !== undefined) this.#known.delete(oldest);
  }

  #end({ message, isAsked }: Known, status: string, outcome: "approved" | "denied"): void {
    this.#record(message, status, this.#ports.now());
    if (isAsked) this.#ports.settle(message.id, outcome);
  }

  #record(message: HeldMessage, status: string, answeredAt: number | null): void {
    const { id, sessionId, from, to, text, chars, at } = message;
    const about = { id, sessionId, at, body: text, chars, status, answeredAt };
    this.#ports.record({ kind: "question", ...about, agent: from, toAgent: to });
  }
}

/** Approved, and all the same not sent: there is no such agent. */
function isRefused(response: unknown): boolean {
  return (
    typeof response === "object" && response !== null && "success" in response && response.success === false
  );
}
