import * as z from "zod/mini";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { AgentNames } from "./agent-names.ts";
import type { GuardSettings } from "../../settings/guard.ts";
import type { HookAnswer } from "../event/hooks-answer.ts";
import { isNamed, type EventNamed } from "../event/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../hooks-handler.ts";
import { toolCallOf } from "../event/tool-call.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";

/** Maximum length of a name, and of the shown and stored part of a message. Characters. */
const maxShown = { name: 60, text: 500 };

interface SentMessage {
  readonly to: string;
  readonly text: string;
}

interface ShownMessage {
  readonly to: string;
  /** Cleaned, on one line; the middle of a long message is left out. */
  readonly text: string;
  /** Length of the whole message. Characters. */
  readonly chars: number;
}

export function shownMessage({ to, text }: SentMessage): ShownMessage {
  return { to, text: cutMiddle(cleanText(text), maxShown.text), chars: text.length };
}

function shownName(name: string): string {
  const clean = cutMiddle(cleanText(name), maxShown.name);
  return clean === "" ? "?" : clean;
}

/** `[frontend → backend] "Which port?" — approve?` */
export function messageQuestion(from: string, { to, text }: Pick<ShownMessage, "to" | "text">): string {
  return `[${from} → ${to}] "${text}" — approve?`;
}

export type QuestionEntry = Extract<LedgerEntry, { kind: "question" }>;

/** Beyond this number of held messages in a session, the oldest are forgotten. */
const maxHeld = 100;
/** Characters. */
const maxLengths = { id: 256, place: 4096, text: 1000 };
const short = z.string().check(z.maxLength(maxLengths.text));

const heldMessage = z.object({
  id: z.string().check(z.maxLength(2 * maxLengths.id)),
  sessionId: z.string().check(z.maxLength(maxLengths.id)),
  cwd: z.nullable(z.string().check(z.maxLength(maxLengths.place))),
  from: short,
  to: short,
  text: short,
  chars: z.int().check(z.nonnegative()),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type HeldMessage = Readonly<z.infer<typeof heldMessage>>;

const known = z.object({
  message: heldMessage,
  isAsked: z.boolean(),
  /** True once a window has approved it and its agent is about to send it. */
  isApproved: z.boolean(),
  /** The subagent that would send it. Null for the session's main agent. */
  agentId: z.nullable(z.string().check(z.maxLength(maxLengths.id))),
});
type Known = Readonly<z.infer<typeof known>>;

export interface MessageWindows {
  /** Null when the agent no longer waits. */
  ask(message: HeldMessage, signal: AbortSignal): Promise<"allow" | "deny" | null>;
  settle(id: string, outcome: "approved" | "denied"): void;
}

export interface MessagePorts {
  readonly mode: () => GuardSettings["messages"];
  readonly windows: MessageWindows;
  readonly record: (entry: QuestionEntry) => void;
  readonly memory: Pick<SessionMemory, "part">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const toolEvents = ["PreToolUse", "PostToolUse", "PermissionDenied"] as const;
/** Events after which an agent no longer waits for an answer. */
const endings = ["UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"] as const;
const quickEvents = [...toolEvents, ...endings, "SubagentStart"] as const;
type Quick = (typeof quickEvents)[number];

/** Milliseconds. */
const quickTime = 200;
/**
 * Just below the installed timeout of the hook, as the user may be away. Meanwhile the terminal's prompt
 * stays open. Milliseconds.
 */
export const windowTime = 590_000;
/** A terminal may wait overnight for its user; an agent that waits for longer was killed without notice. Milliseconds. */
const maxWaitMs = 24 * 60 * 60_000;
/** Permission modes that refuse every question. No question is asked in them. */
const unasked: readonly (string | undefined)[] = ["dontAsk"];

/**
 * Holds messages between the agents of a team for the user, where agent teams are on.
 *
 * The tool call is answered with "ask", so the agent's own prompt appears in its terminal. The agent then
 * also calls the `PermissionRequest` hooks and takes whichever answer comes first: so that hook waits for a
 * window's answer, in vain where the user answers in the terminal. An unattended session has no prompt, and
 * "ask" would mean "no" there: its messages are recorded, and not held.
 */
export class MessageGate {
  readonly quick: HookHandler<Quick>;
  readonly waiting: HookHandler<"PermissionRequest">;
  readonly #ports: MessagePorts;
  readonly #names: AgentNames;
  /** Held messages of each session, the latest last. */
  readonly #held: PerSession<Known[]>;

  constructor(ports: MessagePorts) {
    this.#ports = ports;
    this.#names = new AgentNames(ports.memory);
    this.#held = ports.memory.part("messages", {
      schema: z.array(known).check(z.maxLength(maxHeld)),
      empty: [],
    });
    this.quick = {
      name: "messages",
      events: quickEvents,
      budget: quickTime,
      hearsNotifications: true,
      answer: (event, about = defaultHookContext) => this.#answer(event, about),
    };
    this.waiting = {
      name: "messages",
      events: ["PermissionRequest"],
      budget: windowTime,
      answer: (event, about = defaultHookContext) => this.#wait(event, about),
    };
  }

  readonly held = (): HeldMessage[] => {
    const since = this.#ports.now() - maxWaitMs;
    const all = [...this.#held.entries()].flatMap(([, messages]) => messages);
    return all
      .filter(({ message, isAsked, isApproved }) => isAsked && !isApproved && message.at > since)
      .map(({ message }) => message);
  };

  #answer(event: EventNamed<Quick>, about: HookContext): HookAnswer | null {
    const { session_id: sessionId } = event;
    if (isNamed(event, endings)) {
      this.#ended(event);
      return null;
    }
    if (event.hook_event_name === "SubagentStart") {
      const { agent_id: agentId, agent_type: type } = event;
      if (agentId !== undefined && type !== undefined) this.#names.started(sessionId, agentId, type);
      return null;
    }
    const call = toolCallOf(event);
    if (call.kind === "message") return this.#message(event, about, call.message);
    if (call.kind === "spawn" && event.hook_event_name === "PreToolUse")
      this.#names.spawning(sessionId, call.agentType, call.name);
    return null;
  }

  /** Treats a message that was not sent after a question as refused, once its agent has moved on. */
  #ended({ session_id: session, agent_id: agentId, hook_event_name: name }: EventNamed<Quick>): void {
    const isOver = (each: Known) => name === "SessionEnd" || each.agentId === idOf(agentId);
    const held = this.#held.of(session);
    const over = held.filter(isOver);
    if (over.length === 0) return;
    this.#held.set(
      session,
      held.filter((each) => !isOver(each)),
    );
    for (const each of over) if (each.isAsked) this.#end(each, "denied", "denied");
  }

  #message(
    event: EventNamed<(typeof toolEvents)[number]>,
    about: HookContext,
    sent: SentMessage | null,
  ): HookAnswer | null {
    const id = `message:${idOf(event.tool_use_id) ?? ""}`;
    if (event.hook_event_name === "PreToolUse")
      return sent === null ? null : this.#before(event, about, { ...shownMessage(sent), id });
    const one = this.#held.of(event.session_id).find(({ message }) => message.id === id);
    if (one === undefined) return null;
    this.#forget(one);
    if (event.hook_event_name === "PermissionDenied") this.#end(one, "denied", "denied");
    else if (isRefused(event.tool_response)) this.#end(one, "failed", "approved");
    else this.#end(one, one.isAsked ? "approved" : "sent", "approved");
    return null;
  }

  #before(
    event: EventNamed<"PreToolUse">,
    about: HookContext,
    shown: ShownMessage & { readonly id: string },
  ): HookAnswer | null {
    if (this.#ports.mode() === "off" || !about.hasTeams || event.tool_use_id === undefined) return null;
    const { session_id: sessionId, cwd = null } = event;
    const from = this.#senderOf(event);
    const to = shownName(this.#names.nameOf(sessionId, shown.to) ?? shown.to);
    const folder = (cwd?.length ?? 0) > maxLengths.place ? null : cwd;
    const message = { ...shown, sessionId, cwd: folder, from, to, at: this.#ports.now() };
    const isAsked = about.isAttended && !unasked.includes(event.permission_mode);
    this.#keep({ message, isAsked, isApproved: false, agentId: idOf(event.agent_id) });
    this.#record(message, "pending", null);
    if (!isAsked) return null;
    return { permission: { decision: "ask", reason: messageQuestion(from, message) }, rule: "message" };
  }

  async #wait(event: EventNamed<"PermissionRequest">, { signal }: HookContext): Promise<HookAnswer | null> {
    const call = toolCallOf(event);
    const sent = call.kind === "message" ? call.message : null;
    const one = sent === null ? undefined : this.#heldFor(event, shownMessage(sent));
    if (one === undefined) return null;
    const decision = await this.#ports.windows.ask(one.message, signal);
    if (decision === null) return null;
    if (decision === "allow") {
      this.#approve(one);
      return { permission: { decision, reason: "Approved in the editor" }, rule: "message" };
    }
    this.#forget(one);
    this.#record(one.message, "denied", this.#ports.now());
    const { from, to } = one.message;
    return {
      permission: { decision, reason: `The user does not want ${from} to send this to ${to}` },
      rule: "message",
    };
  }

  /** Returns the newest message with this text: a permission request does not name its tool call. */
  #heldFor(event: EventNamed<"PermissionRequest">, { text }: ShownMessage): Known | undefined {
    const from = this.#senderOf(event);
    return this.#held
      .of(event.session_id)
      .findLast(({ isAsked, message }) => isAsked && message.from === from && message.text === text);
  }

  #senderOf({
    session_id: sessionId,
    agent_id: agentId,
    agent_type: type,
  }: EventNamed<"PreToolUse" | "PermissionRequest">): string {
    if (agentId === undefined) return shownName(type ?? "main");
    return shownName(this.#names.nameOf(sessionId, agentId) ?? type ?? agentId);
  }

  #keep(one: Known): void {
    const { sessionId } = one.message;
    this.#held.set(sessionId, [...this.#others(one), one].slice(-maxHeld));
  }

  #approve({ message: { id, sessionId } }: Known): void {
    const held = this.#held.of(sessionId);
    const isIt = (each: Known) => each.message.id === id;
    this.#held.set(
      sessionId,
      held.map((each) => (isIt(each) ? { ...each, isApproved: true } : each)),
    );
  }

  #forget(one: Known): void {
    this.#held.set(one.message.sessionId, this.#others(one));
  }

  #others({ message: { id, sessionId } }: Known): Known[] {
    return this.#held.of(sessionId).filter(({ message }) => message.id !== id);
  }

  #end({ message, isAsked }: Known, status: string, outcome: "approved" | "denied"): void {
    this.#record(message, status, this.#ports.now());
    if (isAsked) this.#ports.windows.settle(message.id, outcome);
  }

  #record(message: HeldMessage, status: string, answeredAt: number | null): void {
    const { id, sessionId, from, to, text, chars, at } = message;
    const about = { id, sessionId, at, body: text, chars, status, answeredAt };
    this.#ports.record({ kind: "question", ...about, agent: from, toAgent: to });
  }
}

/** Ids come from the agent, and are shorter than this limit. */
function idOf(id: string | undefined): string | null {
  return id?.slice(0, maxLengths.id) ?? null;
}

/** True for a message that was approved but not sent, because its recipient does not exist. */
function isRefused(response: unknown): boolean {
  return (
    typeof response === "object" && response !== null && "success" in response && response.success === false
  );
}
