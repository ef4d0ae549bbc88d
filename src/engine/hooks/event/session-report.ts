import path from "node:path";
import type { PlanLimit, PromptCache, SessionEvent, SessionReport } from "../../sessions/reported.ts";
import { isNamed, type EventNamed, type HookEvent } from "./event.ts";
import { sentence } from "../../base/language.ts";
import { readSubagentMeta } from "../../transcripts/claude.ts";

/** Returns what a hook reports about its session at the time it arrived; null if nothing. */
export function sessionReportOf(event: HookEvent, at: number): SessionReport | null {
  const sessionEvent = eventIn(event);
  if (sessionEvent === null) return null;
  const { session_id: sessionId, agent_id: agentId, transcript_path: transcript, cwd } = event;
  // Agents have sent an empty path when there was none; in a subagent of Codex it is the subagent's.
  const own = agentId === undefined ? filled(transcript) : null;
  return { sessionId, at, transcript: own, cwd: filled(cwd), event: sessionEvent };
}

const names = [
  "SessionStart",
  "UserPromptSubmit",
  "PreModelSwitch",
  "PostModelSwitch",
  "PreCompact",
  "PostCompact",
  "Stop",
  "StopFailure",
  "Interrupt",
  "PostModelRequest",
  "SessionEnd",
  "StatusLine",
] as const;

function eventIn(event: HookEvent): SessionEvent | null {
  const { agent_id: agentId, agent_type: type = null } = event;
  if (agentId === undefined) return isNamed(event, names) ? mainEventOf(event) : null;
  if (event.hook_event_name === "SubagentStart") return { kind: "subagent-began", agentId, type };
  if (event.hook_event_name === "SubagentStop") return { kind: "subagent-ended", agentId, type };
  // Anything else in a subagent, such as a compaction, does not concern the session itself.
  return null;
}

function mainEventOf(event: EventNamed<(typeof names)[number]>): SessionEvent | null {
  switch (event.hook_event_name) {
    case "SessionStart": {
      const { source: how = null, model = null, context_tokens: carried = null } = event;
      return { kind: "began", how, model, carried };
    }
    case "UserPromptSubmit":
      return { kind: "prompted" };
    case "PreModelSwitch":
      // The agent may still refuse the switch; the context size is valid either way.
      return { kind: "switched", model: null, carried: event.context_tokens ?? null };
    case "PostModelSwitch":
      return { kind: "switched", model: event.to_model ?? null, carried: event.context_tokens ?? null };
    case "PreCompact":
      return { kind: "compacting" };
    case "PostCompact":
      return { kind: "compacted" };
    case "Stop":
      return { kind: "stopped", message: event.last_assistant_message ?? null };
    case "StopFailure":
      return { kind: "failed", error: event.error ?? null, message: event.last_assistant_message ?? null };
    case "Interrupt":
      return { kind: "stopped", message: null };
    case "PostModelRequest": {
      const { model = null, token_usage: usage, kind = "sampling" } = event;
      // Any other call, such as a compaction's, sends something else than the session's context.
      if (kind !== "sampling") return null;
      return {
        kind: "measured",
        model,
        window: null,
        occupancy: usage?.input_tokens ?? null,
        source: sentence("the agent's hook after its last response"),
        planLimits: [],
        cache: null,
      };
    }
    case "SessionEnd":
      return { kind: "ended" };
    case "StatusLine":
      return measuredBy(event);
  }
}

function measuredBy({
  model,
  context_window: context,
  rate_limits: limits = {},
  prompt_cache: cache,
}: EventNamed<"StatusLine">): SessionEvent {
  const used = context?.current_usage ?? null;
  return {
    kind: "measured",
    model: model?.id ?? null,
    window: context?.context_window_size ?? null,
    source: sentence("the agent's status line"),
    occupancy:
      used === null
        ? null
        : used.input_tokens + used.cache_creation_input_tokens + used.cache_read_input_tokens,
    planLimits: Object.entries(limits).flatMap(([name, limit]) =>
      limit === undefined ? [] : limitOf(name, limit),
    ),
    cache: cache === undefined ? null : cacheOf(cache),
  };
}

type StatusLine = EventNamed<"StatusLine">;
type Limit = Exclude<NonNullable<StatusLine["rate_limits"]>[string], undefined>;

function limitOf(
  name: string,
  { used_percentage: usedPercent, resets_at: resetsAt, used_usd: used, limit_usd: limit, period }: Limit,
): PlanLimit[] {
  if (!(usedPercent >= 0) || !Number.isFinite(usedPercent)) return [];
  return [
    {
      name,
      usedPercent,
      resetsAt: milliseconds(resetsAt),
      usedUsd: amountOf(used),
      limitUsd: amountOf(limit),
      period: filled(period?.slice(0, maxPeriodLength)),
    },
  ];
}

const maxPeriodLength = 40;

function amountOf(usd: number | undefined): number | null {
  return usd !== undefined && usd >= 0 && Number.isFinite(usd) ? usd : null;
}

function milliseconds(seconds: number | undefined): number | null {
  return seconds === undefined ? null : seconds * 1000;
}

function cacheOf({
  warm,
  caching_observed: isObserved = true,
  ttl,
  expires_at: expiresAt,
  recache_tokens_if_cold: tokens = null,
}: NonNullable<StatusLine["prompt_cache"]>): PromptCache | null {
  if (!isObserved || tokens === null) return null;
  return { isWarm: warm, isLong: ttl === "1h", expiresAt: milliseconds(expiresAt), tokens };
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

/**
 * Returns a teammate's event with its agent's type. Claude Code sends a teammate's name as its type, and
 * stores both next to its transcript. Rules, budgets and medians are per type.
 */
export function withTrueType(event: HookEvent): HookEvent {
  const { agent_id: id, agent_type: name, transcript_path: transcript } = event;
  if (id === undefined || name === undefined || transcript === undefined) return event;
  // Only a teammate's id starts with its name.
  if (!id.startsWith(`a${name}-`) || path.basename(id) !== id || !transcript.endsWith(".jsonl")) return event;
  const session = transcript.slice(0, -".jsonl".length);
  const meta = readSubagentMeta(path.join(session, "subagents", `agent-${id}.jsonl`));
  return meta.name === name && meta.type !== null ? { ...event, agent_type: meta.type } : event;
}
