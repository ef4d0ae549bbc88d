import type { HookProgram } from "../../program.ts";

/** A hook as it is written into an agent's settings. */
export interface HookEntry {
  readonly event: string;
  /** What the event is narrowed to, where handlers come in groups; null for all of it. */
  readonly matcher: string | null;
  readonly handler: Readonly<Record<string, unknown>>;
}

/** How an agent's file holds hooks. */
export interface HookFormat {
  /** Whether an event has groups of handlers, each with its matcher, or the handlers themselves. */
  readonly isGrouped: boolean;
  /** What a new file has beside its hooks. */
  readonly head: Readonly<Record<string, unknown>>;
}

/** Codex accepts nothing at the top but `hooks` and `description`; Copilot CLI asks for a version. */
export const hookFormats: Readonly<Record<HookProgram, HookFormat>> = {
  "claude-code": { isGrouped: true, head: {} },
  codex: { isGrouped: true, head: {} },
  copilot: { isGrouped: false, head: { version: 1 } },
};

/** The parts of a handler that run something, in any of the agents' forms. */
const running = ["command", "args", "exec", "bash", "powershell"];
/** What the shim is told, so that its hook is known for ours wherever the shim is. It does not read it. */
const shimMark = "--purser-hook=";
/** A header of ours, so that an address is known for ours whatever its port. */
export const markHeader = "X-Purser-Hook";

/** What marks a command as purser's. Agents take it for an argument like any other. */
export function markFor(program: HookProgram, event: string): string {
  return `${shimMark}${program}:${event}`;
}

/** Whether a handler is one that purser wrote, at whatever port, with whatever shim. Its place says nothing: people move things. */
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
    .some((part) => typeof part === "string" && part.includes(shimMark));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
