import type { ZodMiniType as ZodType } from "zod/mini";
import { parseJsonLine } from "../json-line.ts";
import { startsAgain } from "../records/recovered.ts";
import {
  anyRow,
  eventRow,
  sessionMeta,
  tokenCount,
  turnContext,
  usageRow,
  type EventRow,
  type SessionMeta,
  type TokenCount,
  type TurnContext,
  type UsageRow,
} from "./codex-row-schema.ts";

/** A rollout line's time in milliseconds since the epoch, and its place in the session's history. */
export interface Moment {
  readonly at: number | null;
  readonly ordinal: number | null;
}

export type RolloutRow =
  | { readonly type: "session_meta"; readonly meta: SessionMeta }
  | { readonly type: "turn_context"; readonly context: TurnContext }
  | { readonly type: "token_usage_record"; readonly usage: UsageRow }
  | { readonly type: "event_msg"; readonly event: EventRow; readonly payload: unknown }
  | { readonly type: "token_count"; readonly event: EventRow; readonly count: TokenCount }
  | { readonly type: "response_item" | "compacted"; readonly payload: unknown };

/**
 * A line as far as it is understood. A `quiet` one contains nothing that purser needs; a `malformed` one lacks a
 * required member.
 */
export type RolloutLine =
  | { readonly kind: "blank" }
  | { readonly kind: "malformed" | "quiet"; readonly moment: Moment }
  | { readonly kind: "unknown"; readonly moment: Moment; readonly type: string }
  | { readonly kind: "row"; readonly moment: Moment; readonly row: RolloutRow };

/** Lines without useful content, possibly long: recognised by their first bytes, not parsed. */
const quiet =
  /^\{"timestamp":"[^"]{0,40}",(?:"ordinal":\d{1,15},)?"type":"(?:world_state"|response_item","payload":\{"type":"(?:message|reasoning|compaction)")/u;
const quietLength = 160;

/** Line types that contain nothing purser needs. Any other is unknown. */
const quietTypes = new Set([
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "id_allocation",
  "realtime_item",
  "security_risk_score",
  "world_state",
]);

const nowhere: Moment = { at: null, ordinal: null };

export function readRolloutLine(line: Buffer): RolloutLine {
  if (quiet.test(line.toString("latin1", 0, quietLength)) && !startsAgain(line, "codex"))
    return { kind: "quiet", moment: nowhere };
  const parsed = parseJsonLine(line);
  if (parsed.kind === "blank") return parsed;
  const any = anyRow.safeParse(parsed.kind === "value" ? parsed.value : undefined);
  if (!any.success) return { kind: "malformed", moment: nowhere };
  const { type, timestamp, ordinal, payload } = any.data;
  const moment: Moment = { at: timestamp ?? null, ordinal: ordinal ?? null };
  if (!isRead(type))
    return quietTypes.has(type) ? { kind: "quiet", moment } : { kind: "unknown", moment, type };
  const row = rowOf(type, payload);
  return row === null ? { kind: "malformed", moment } : { kind: "row", moment, row };
}

const readTypes = [
  "session_meta",
  "turn_context",
  "token_usage_record",
  "event_msg",
  "response_item",
  "compacted",
] as const;
type ReadType = (typeof readTypes)[number];

function isRead(type: string): type is ReadType {
  return readTypes.some((each) => each === type);
}

/** Null when the payload lacks what its type requires. */
function rowOf(type: ReadType, payload: unknown): RolloutRow | null {
  switch (type) {
    case "session_meta":
      return read(sessionMeta, payload, (meta) => ({ type, meta }));
    case "turn_context":
      return read(turnContext, payload, (context) => ({ type, context }));
    case "token_usage_record":
      return read(usageRow, payload, (usage) => ({ type, usage }));
    case "event_msg":
      return read(eventRow, payload, (event) =>
        event.type === "token_count"
          ? read(tokenCount, payload, (count) => ({ type: "token_count", event, count }))
          : { type, event, payload },
      );
    case "response_item":
    case "compacted":
      return { type, payload };
  }
}

function read<Payload>(
  schema: ZodType<Payload>,
  payload: unknown,
  use: (payload: Payload) => RolloutRow | null,
): RolloutRow | null {
  const parsed = schema.safeParse(payload);
  return parsed.success ? use(parsed.data) : null;
}
