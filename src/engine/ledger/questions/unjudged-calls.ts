import { toolKind, type ToolKind } from "../../transcripts/tool-kind.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { readRows, type RowOf } from "../store/read-rows.ts";

const callRow = {
  id: textIn,
  sessionId: textIn,
  agentId: maybeTextIn,
  at: numberIn,
  tool: textIn,
  isError: maybeNumberIn,
  program: maybeTextIn,
  folder: maybeTextIn,
};
type CallRow = RowOf<typeof callRow>;

/** A tool call in a transcript whose hook was neither answered nor recorded. */
export type UnjudgedCall = Omit<CallRow, "isError">;

const judgedKinds: ReadonlySet<ToolKind> = new Set(["command", "edit", "read"]);
/** Oldest call that is compared, before the time asked about. Milliseconds. */
const comparedFor = 86_400_000;
/** Longest answer of a service: a call in progress when the service ended began at most this long before its last answer. Milliseconds. */
const longestAnswer = 10_000;
/** How much later than a call its hook is recorded, where they share no id: it may have waited for its turn. Milliseconds. */
const maxHookDelay = 600_000;
/** Clocks of transcripts and hooks differ by at most this. Milliseconds. */
const clockDifference = 2000;

/**
 * Compares transcripts with recorded hooks: agents that post their hooks run a call without a trace while no service answers. Only sessions with
 * hooks count. Outside the time without a service a call must follow a recorded one, and must not have failed: agents refuse some calls before
 * their hooks run.
 *
 * @param before when the service started. Milliseconds since the epoch
 */
export function selectUnjudgedCalls(db: Database, before: number): UnjudgedCall[] {
  const from = before - comparedFor;
  const [lastAnswer = null] = db.rows(
    "SELECT at FROM hook_events WHERE at < ? AND duration_ms IS NOT NULL ORDER BY at DESC LIMIT 1",
    [before],
    ([at]) => maybeNumberIn(at),
  );
  const unanswered = lastAnswer === null ? from : lastAnswer - longestAnswer;
  const hooks = hooksSince(db, from - clockDifference);
  const calls = readRows(db, callRow, {
    from: `FROM sessions JOIN tool_calls ON session_id = sessions.id
     WHERE last_at >= ?1 AND tool_calls.at >= ?1 AND tool_calls.at < ?2 AND tool IS NOT NULL AND EXISTS
       (SELECT 1 FROM hook_events h WHERE h.session_id = sessions.id AND +h.at <= tool_calls.at + ${clockDifference})
     ORDER BY tool_calls.at, tool_calls.id`,
    values: [from, before],
    sql: { id: "tool_calls.id", at: "tool_calls.at", folder: "cwd" },
  });
  return calls.flatMap(({ isError, ...call }) => {
    if (!judgedKinds.has(toolKind(call.tool)) || hooks.take(call)) return [];
    const isCertain = call.at >= unanswered || (isError !== 1 && hooks.hasBefore(call));
    return isCertain ? [call] : [];
  });
}

interface HookOfCall {
  readonly at: number;
  readonly kind: ToolKind;
}

/** Hooks before calls. Some agents name the call; of the others a call takes the next one of its kind. */
function hooksSince(db: Database, since: number) {
  const ids = new Set<string>();
  const unnamed = new Map<string, HookOfCall[]>();
  const first = new Map<string, number>();
  const rows = db.rows(
    `SELECT session_id, at, tool, call FROM hook_events WHERE at >= ? AND event = 'PreToolUse' AND tool IS NOT NULL ORDER BY at`,
    [since],
    ([session, at, tool, call]) => ({
      session: textIn(session),
      at: numberIn(at),
      kind: toolKind(textIn(tool)),
      call: maybeTextIn(call),
    }),
  );
  for (const { session, at, kind, call } of rows) {
    if (!first.has(session)) first.set(session, at);
    if (call !== null) ids.add(call);
    else unnamed.set(session, [...(unnamed.get(session) ?? []), { at, kind }]);
  }
  return {
    hasBefore: ({ sessionId, at }: UnjudgedCall) => (first.get(sessionId) ?? Infinity) < at,
    take: ({ id, sessionId, at, tool }: UnjudgedCall): boolean => {
      if (ids.has(id)) return true;
      const own = unnamed.get(sessionId) ?? [];
      const kind = toolKind(tool);
      const index = own.findIndex(
        (hook) => hook.kind === kind && hook.at >= at - clockDifference && hook.at <= at + maxHookDelay,
      );
      if (index === -1) return false;
      own.splice(index, 1);
      return true;
    },
  };
}
