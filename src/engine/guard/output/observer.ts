import type { EventNamed } from "../../hooks/event/event.ts";
import { toolCallOf } from "../../hooks/event/tool-call.ts";
import { defaultHookContext, type HookHandler } from "../../hooks/handler.ts";
import type { GuardMode } from "../../settings/guard.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import type { Compressed } from "./compressors/compress.ts";

export interface OutputObserverPorts {
  /** Makes a command's output smaller; null where too little is to be gained. */
  readonly compress: (output: string, command: string) => Promise<Compressed | null>;
  readonly modeOf: (folder: string | null) => GuardMode;
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  readonly onProblem: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A shorter output is never made smaller. Characters. */
const leastOutput = 2048;
/** Longer outputs are kept in files by the agents themselves. Characters. */
const longestOutput = 200_000;

interface ToolResult {
  readonly tool_name?: string | undefined;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string | undefined;
  readonly tool_response?: unknown;
}

/**
 * Records by how much each command's output could be made smaller. Answers nothing: outputs reach the agent as they are. No hook waits for
 * the reckoning.
 */
export function outputObserver(ports: OutputObserverPorts): HookHandler<"PostToolUse" | "PostToolBatch"> {
  const answer = (
    event: EventNamed<"PostToolUse" | "PostToolBatch">,
    { program } = defaultHookContext,
  ): null => {
    const { cwd: folder = null } = event;
    // Claude Code tells of each call, and then of the batch with the same calls.
    if (program === "claude-code" && event.hook_event_name === "PostToolBatch") return null;
    if (ports.modeOf(folder) === "off") return null;
    const results: readonly ToolResult[] =
      event.hook_event_name === "PostToolBatch" ? (event.tool_calls ?? []) : [event];
    for (const result of results) {
      const observed = observedOf(result);
      if (observed !== null)
        observe(observed, event, program).catch((error: unknown) => ports.onProblem(String(error)));
    }
    return null;
  };

  const observe = async (
    { command, output, id, tool }: Observed,
    event: EventNamed<"PostToolUse" | "PostToolBatch">,
    program: string,
  ): Promise<void> => {
    const compressed = await ports.compress(output, command);
    if (compressed === null) return;
    const call = { ...event, tool_name: tool, tool_use_id: id };
    ports.record([
      hitEntry(call, {
        rule: `smaller-output-${compressed.compressor}`,
        family: "output",
        action: "advise",
        done: "observed",
        excerpt: command,
        program,
        at: ports.now(),
        savedBytes: compressed.before - compressed.after,
      }),
    ]);
  };

  return { name: "outputs", events: ["PostToolUse", "PostToolBatch"], budget: 100, answer };
}

interface Observed {
  readonly command: string;
  readonly output: string;
  readonly id: string | undefined;
  readonly tool: string | undefined;
}

function observedOf(result: ToolResult): Observed | null {
  const call = toolCallOf(result);
  if (call.kind !== "command" || call.command === null) return null;
  const output = outputText(result.tool_response);
  if (output === null || output.length < leastOutput || output.length > longestOutput) return null;
  return { command: call.command, output, id: result.tool_use_id, tool: result.tool_name };
}

/** Returns what a command printed, as agents report it: a text, or Claude Code's object. */
function outputText(response: unknown): string | null {
  if (typeof response === "string") return response;
  if (typeof response !== "object" || response === null) return null;
  const stdout: unknown = Reflect.get(response, "stdout");
  return typeof stdout === "string" ? stdout : null;
}
