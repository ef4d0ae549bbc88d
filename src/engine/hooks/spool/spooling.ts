import { agentInput } from "../event/agent-input.ts";
import { isProbe } from "../probe.ts";
import type { HookCaller } from "../program.ts";
import { writeSpoolFile } from "./spool-file.ts";

export interface SpooledHook {
  readonly caller: HookCaller;
  /** Its input, parsed. */
  readonly hook: unknown;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Answer given without a service. Undefined for none. */
  readonly judged?:
    { readonly outcome: string; readonly rule: string | null; readonly hits: readonly object[] } | undefined;
}

/** Maximum length of a stored id or name; the ledger's own limits are no smaller. Characters. */
const maxLength = 200;

/**
 * Spools a hook as its later ledger entry: that it happened, and when, but not what agent or user wrote.
 * Writes nothing for a simulated call, or for anything but hook input.
 * @throws if the file cannot be written
 */
export function spoolHook(folder: string, { caller, hook: told, id, at, judged }: SpooledHook): void {
  const hook = agentInput(told, caller);
  const [sessionId, event] = [textOf(hook, "session_id"), textOf(hook, "hook_event_name")];
  if (sessionId === null || event === null || isProbe(sessionId)) return;
  const entry = {
    kind: "hook-event",
    id: `hook:${id}`,
    sessionId,
    at,
    event,
    agentId: textOf(hook, "agent_id"),
    tool: textOf(hook, "tool_name"),
    ...(judged === undefined ? {} : { outcome: judged.outcome, rule: judged.rule?.slice(0, maxLength) }),
  };
  const entries = [entry, ...(judged?.hits ?? [])];
  writeSpoolFile(
    folder,
    `${at}-${id}`,
    entries.map((each) => JSON.stringify(each)),
  );
}

function textOf(hook: unknown, name: string): string | null {
  const value: unknown = typeof hook === "object" && hook !== null ? Reflect.get(hook, name) : null;
  return typeof value === "string" && value !== "" ? value.slice(0, maxLength) : null;
}
