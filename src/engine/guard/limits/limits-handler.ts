import type { HookAnswer } from "../../hooks/event/hooks-answer.ts";
import type { EventNamed } from "../../hooks/event/event.ts";
import { toolCallOf } from "../../hooks/event/tool-call.ts";
import { isHonoured, mayReplace } from "../../hooks/event/write-answer.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { GuardMode } from "../../settings/guard.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import type { VoicePorts } from "../voice.ts";
import type { LimitedCommand } from "./bounded-command.ts";
import { limitRead } from "./bounded-read.ts";
import { limitRule } from "./limits-rules.ts";

export interface LimitPorts {
  /** Whether the user wants limits added. */
  readonly isWanted: (folder: string | null) => boolean;
  readonly modeOf: (folder: string | null) => GuardMode;
  readonly isExcepted: VoicePorts["isExcepted"];
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  /** Adds a limit to a command line; null where none is certain to do only that. */
  readonly addLimit: (command: string, folder: string | null) => Promise<LimitedCommand | null>;
  /** Returns a file's size in bytes; null for none. */
  readonly sizeOf: (file: string) => Promise<number | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Limited {
  readonly input: Readonly<Record<string, unknown>>;
  readonly excerpt: string;
  /** What was added, and how to get more. */
  readonly text: string;
}

/** Adds a limit to calls whose output has none, where the user has chosen so, and tells the agent. */
export function limitHandler(ports: LimitPorts): HookHandler<"PreToolUse"> {
  const answer = async (
    event: EventNamed<"PreToolUse">,
    { program }: HookContext = defaultHookContext,
  ): Promise<HookAnswer | null> => {
    const folder = event.cwd ?? null;
    const mode = ports.modeOf(folder);
    // An agent that cannot be told would take a part for the whole.
    const canTell = mayReplace("input", event, program) && isHonoured("context", "PreToolUse", program);
    if (mode === "off" || !canTell || !ports.isWanted(folder)) return null;
    const limited = await limitedCall(event);
    const { id: rule, family } = limitRule;
    if (limited === null || ports.isExcepted(rule, limited.excerpt, folder)) return null;
    const { input, excerpt, text } = limited;
    const done = mode === "on" ? "advised" : "observed";
    ports.record([
      hitEntry(event, { rule, family, action: "advise", done, excerpt, program, at: ports.now() }),
    ]);
    return mode === "on" ? { rule, input, context: `Context Purser (${rule}): ${text}` } : null;
  };

  const limitedCall = async (event: EventNamed<"PreToolUse">): Promise<Limited | null> => {
    const call = toolCallOf(event);
    const { tool_input: given, cwd: folder = null } = event;
    if (typeof given !== "object" || given === null) return null;
    const input = Object.fromEntries(Object.entries(given));
    if (call.kind === "read") return await limitRead(call, input, { folder, sizeOf: ports.sizeOf });
    if (call.kind !== "command" || call.command === null || call.tool.toLowerCase() === "powershell")
      return null;
    const limited = await ports.addLimit(call.command, folder);
    if (limited === null) return null;
    const { command, added } = limited;
    const text = `\`${added}\` was added to this command, as its output has no bound: it may have more than is shown. For more, give a number yourself.`;
    return { input: { ...input, command }, excerpt: call.command, text };
  };

  return { name: "limits", events: ["PreToolUse"], budget: 150, answer };
}
