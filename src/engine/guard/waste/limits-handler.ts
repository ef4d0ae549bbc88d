import { mayReplace, isHonoured, type EventNamed, type HookAnswer, toolCallOf } from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { GuardMode } from "../../settings/guard.ts";
import type { DeliveryPorts } from "../delivery.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import { ownValue } from "../own-value.ts";
import { namesLines } from "./delivered-text.ts";
import { absolutePath } from "./file-command.ts";
import { limitRule } from "./waste-rules.ts";
import type { LimitedCommand } from "./bounded-command.ts";

/** Minimum size of a file that is limited. Bytes. */
const minHugeFile = 100_000;
/** Maximum lines that are read of it. */
const maxLines = 500;

/** Files that are not read by lines. */
const notText = /\.(?:pdf|ipynb|png|jpe?g|gif|webp|bmp|ico|svgz|zip|gz)$/iu;

/** The inputs that limit a tool. */
const limits: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Read: { limit: maxLines },
  view: { view_range: [1, maxLines] },
};

/** Limits the reading of a huge file to its first lines; null for any other call. */
async function limitRead(
  { tool, file }: { readonly tool: string; readonly file: string | null },
  input: Readonly<Record<string, unknown>>,
  {
    folder,
    sizeOf,
  }: { readonly folder: string | null; readonly sizeOf: (file: string) => Promise<number | null> },
): Promise<Limited | null> {
  const limit = ownValue(limits, tool);
  if (limit === undefined || file === null || namesLines(input) || notText.test(file)) return null;
  const full = absolutePath(file, folder);
  const bytes = full === null ? null : await sizeOf(full);
  if (bytes === null || bytes < minHugeFile) return null;
  const kilobytes = Math.round(bytes / 1000);
  return {
    input: { ...input, ...limit },
    excerpt: file,
    text: `the file has ${kilobytes} kB, so only its first ${maxLines} lines are read. For others, give a first line and a number of lines.`,
  };
}

export interface LimitPorts {
  readonly isWanted: (folder: string | null) => boolean;
  readonly modeOf: (folder: string | null, session: string) => GuardMode;
  readonly isExcepted: DeliveryPorts["isExcepted"];
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  /** Adds a limit to a command line; null if that might change anything else. */
  readonly addLimit: (command: string, folder: string | null) => Promise<LimitedCommand | null>;
  /** Returns a file's size in bytes; null for none. */
  readonly sizeOf: (file: string) => Promise<number | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Limited {
  readonly input: Readonly<Record<string, unknown>>;
  readonly excerpt: string;
  /** A sentence about the limit, and how to get more. */
  readonly text: string;
}

/** Adds a limit to calls with unlimited output, if the user has chosen so, and notifies the agent. */
export function limitHandler(ports: LimitPorts): HookHandler<"PreToolUse"> {
  const answer = async (
    event: EventNamed<"PreToolUse">,
    { program }: HookContext = defaultHookContext,
  ): Promise<HookAnswer | null> => {
    const folder = event.cwd ?? null;
    const mode = ports.modeOf(folder, event.session_id);
    // Without the notice, an agent would take a part for the whole.
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
