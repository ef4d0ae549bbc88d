import path from "node:path";
import { cleanText } from "../base/text.ts";
import type { AdviceFigures } from "./advice-warning.ts";
import type { GuardSettings } from "./guard-settings.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { EventNamed } from "./hook-event.ts";
import type { HookHandler } from "./hook-handler.ts";
import { afterTool, noWork, openTodos, type OpenWork } from "./open-work.ts";

const events = ["UserPromptSubmit", "PostToolBatch", "PostToolUse", "Stop"] as const;
type Name = (typeof events)[number];

export interface GatePorts {
  readonly mode: () => GuardSettings["stopGate"];
  /** How full a session's context is at this moment; undefined where nothing is known of it. */
  readonly adviceOf: (sessionId: string) => AdviceFigures | undefined;
}

interface Gate {
  readonly work: OpenWork;
  /** The agent was asked in this turn. */
  readonly wasAsked: boolean;
  /** What it was asked of last: the same is not asked again. */
  readonly asked: string;
}

const fresh: Gate = { work: noWork, wasAsked: false, asked: "" };
/** With no more than this left an agent is not asked to go on. Percent. */
const room = 50;
/** Those heard of longest ago are forgotten: `SessionEnd` has no time to spare. */
const mostSessions = 500;
const mostNamed = 3;

/**
 * When an agent stops with more than half of its context left and open work, it is asked once whether that is meant, or its user is
 * told. An agent honours `decision: "block"` with a reason here; `stop_hook_active` says that it goes on for such a reason already.
 */
export function stopGateHandler({ mode, adviceOf }: GatePorts): HookHandler<Name> {
  const sessions = new Map<string, Gate>();

  const keep = (id: string, gate: Gate) => {
    sessions.delete(id);
    sessions.set(id, gate);
    const [oldest] = sessions.keys();
    if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest);
  };

  const stopped = (event: EventNamed<"Stop">, gate: Gate): HookAnswer | null => {
    const chosen = mode();
    if (chosen === "off" || gate.wasAsked || isMeant(event)) return null;
    const what = workInWords(gate.work, event.cwd);
    if (what === null || what === gate.asked) return null;
    const left = shareLeft(adviceOf(event.session_id));
    if (left === null || left <= room) return null;
    keep(event.session_id, { ...gate, wasAsked: true, asked: what });
    const fact = `the turn ends with ${Math.floor(left)} % of the context left and open work: ${what}`;
    if (chosen === "advise") return { notice: `Context Purser: ${fact}.`, rule: "stop-gate" };
    const question = "If that is meant, say so in a sentence and stop; else finish it.";
    return { block: `Context Purser asks once: ${fact}. ${question}`, rule: "stop-gate" };
  };

  const answer = (event: EventNamed<Name>): HookAnswer | null => {
    if (event.agent_id !== undefined) return null;
    const id = event.session_id;
    const gate = sessions.get(id) ?? fresh;
    switch (event.hook_event_name) {
      case "UserPromptSubmit":
        keep(id, { ...gate, wasAsked: false });
        return null;
      case "PostToolBatch":
      case "PostToolUse":
        keep(id, { ...gate, work: usedIn(event).reduce(afterTool, gate.work) });
        return null;
      case "Stop":
        return stopped(event, gate);
    }
  };

  return { name: "stop-gate", events, budget: 100, answer };
}

/** It was kept going already, only plans, waits for something, or asks the user. */
function isMeant({
  stop_hook_active: isKept,
  permission_mode: permissions,
  background_tasks: tasks = [],
  last_assistant_message: said = "",
}: EventNamed<"Stop">): boolean {
  return (
    isKept === true || permissions === "plan" || tasks.length > 0 || /\?["'*_)\s]*$/u.test(said.slice(-20))
  );
}

function usedIn(event: EventNamed<"PostToolBatch" | "PostToolUse">) {
  const calls = event.hook_event_name === "PostToolBatch" ? (event.tool_calls ?? []) : [event];
  return calls.map(({ tool_name: name = "", tool_input: input }) => ({ name, input }));
}

function shareLeft(figures: AdviceFigures | undefined): number | null {
  if (figures === undefined || !(figures.window > 0)) return null;
  return 100 - (100 * figures.tokens) / figures.window;
}

/** Null where nothing is open. */
function workInWords(work: OpenWork, cwd: string | undefined): string | null {
  const todos = openTodos(work);
  const files = [...work.unverified];
  const parts: string[] = [];
  if (todos > 0) parts.push(`${todos} unfinished ${todos === 1 ? "todo" : "todos"}`);
  if (files.length > 0) {
    const named = files.slice(0, mostNamed).map((file) => nameOf(file, cwd));
    const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
    parts.push(`edits that no command has checked since (${named.join(", ")}${more})`);
  }
  return parts.length === 0 ? null : parts.join("; ");
}

function nameOf(file: string, cwd: string | undefined): string {
  const near = cwd === undefined ? file : path.relative(cwd, file);
  return cleanText((near.startsWith("..") ? path.basename(file) : near).slice(0, 120));
}
