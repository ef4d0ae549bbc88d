import { isObject } from "../../../base/is-object.ts";
import type { HookProgram } from "../../program.ts";

/** A hook as written in an agent's settings. */
export interface HookEntry {
  readonly event: string;
  /** Narrows the event, where handlers come in groups; null for all of it. */
  readonly matcher: string | null;
  /**
   * Matcher that earlier versions of purser installed. Null for none. Any other matcher is a person's choice.
   */
  readonly formerMatcher?: string | null;
  readonly handler: Readonly<Record<string, unknown>>;
}

/** How an agent's file structures hooks. */
export interface HookFormat {
  /** Whether an event has groups of handlers, each with its matcher, or the handlers themselves. */
  readonly isGrouped: boolean;
  /** Whether the agent accepts comments in the file. */
  readonly takesComments: boolean;
  /** Top-level members of a new file, in addition to its hooks. */
  readonly head: Readonly<Record<string, unknown>>;
}

/** Codex accepts only `hooks` and `description` at the top level; Copilot CLI requires a version. */
export const hookFormats: Readonly<Record<HookProgram, HookFormat>> = {
  "claude-code": { isGrouped: true, takesComments: false, head: {} },
  codex: { isGrouped: true, takesComments: false, head: {} },
  copilot: { isGrouped: false, takesComments: false, head: { version: 1 } },
  gemini: { isGrouped: true, takesComments: true, head: {} },
};

/** Members of a handler that run something, in any agent's format. */
const running = ["command", "args", "exec", "bash", "powershell"];
/** A shim argument that marks the hook as ours, wherever the shim is. The shim ignores it. */
const shimMarker = "--purser-hook=";
/** A header that marks a posted hook as ours, whatever its port. */
export const markHeader = "X-Purser-Hook";

/** Marks a command as purser's. Agents pass it on like any other argument. */
export function markFor(program: HookProgram, event: string): string {
  return `${shimMarker}${program}:${event}`;
}

/**
 * Whether purser wrote a handler, with any port and shim. Its position proves nothing, as people move
 * handlers.
 */
export function isOwnHandler(handler: unknown): boolean {
  if (!isObject(handler)) return false;
  const { headers } = handler;
  if (
    isObject(headers) &&
    Object.keys(headers).some((name) => name.toLowerCase() === markHeader.toLowerCase())
  )
    return true;
  return running
    .flatMap((name) => handler[name])
    .some((part) => typeof part === "string" && part.includes(shimMarker));
}
