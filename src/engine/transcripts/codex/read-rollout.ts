import type { ZodType } from "zod";
import { isZero, type Counters } from "../../usage/cumulative.ts";
import { unknownFigure, type Figure } from "../../usage/provenance.ts";
import type { UsageRecord } from "../../usage/agent-record.ts";
import type { AgentSession, SessionLines } from "../agent-session.ts";
import { parseJsonLine } from "../json-line.ts";
import { LineCounts } from "../line-counts.ts";
import { codexContextLeft } from "./context-left.ts";
import type { Origin } from "../agent-activity.ts";
import { Lineage } from "./lineage.ts";
import { LatestRateLimits } from "./rate-limits.ts";
import { RolloutWork } from "./rollout-work.ts";
import {
  anyRow,
  eventRow,
  sessionMeta,
  tokenCount,
  turnContext,
  usageRow,
  type CodexUsage,
  type SessionMeta,
  type TokenCount,
} from "./row-schema.ts";
import { countersOf, rawOf, usageOf } from "./tokens.ts";
import { TotalCounter } from "./total-counter.ts";

export interface CodexRecord extends UsageRecord {
  readonly agent: "codex";
  /** `unsure` when only the parent's file shows whether it is a copy: see `countRollouts`. */
  readonly origin: Origin;
  /** The total and last usage of a `token_count`, the same in a copy as in its original; null for other lines. */
  readonly pair: string | null;
}

/** Lines without useful content, possibly long: recognised by their first bytes, not parsed. */
const quiet =
  /^\{"timestamp":"[^"]{0,40}",(?:"ordinal":\d{1,15},)?"type":"(?:world_state"|response_item","payload":\{"type":"(?:message|reasoning|compaction)")/u;
const quietLength = 160;

/** Line types that contain nothing purser needs. Any other is counted as unknown. */
const quietTypes = new Set([
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "realtime_item",
  "security_risk_score",
  "world_state",
]);

interface Moment {
  readonly at: number | null;
  readonly ordinal: number | null;
}

/**
 * Reads a Codex rollout. Two line types report a response's usage: `token_usage_record` (0.153.4 and later) is used from
 * its first line on; before that, the growth of the totals in `token_count` lines.
 */
export class RolloutLines implements SessionLines<CodexRecord> {
  readonly #counts = new LineCounts();
  readonly #limits = new LatestRateLimits();
  readonly #total = new TotalCounter();
  readonly #work = new RolloutWork();
  readonly #records: CodexRecord[] = [];
  readonly #responses = new Set<string>();
  readonly #pairs = new Map<string, number>();
  readonly #lineage: Lineage;
  #cwd: string | null = null;
  #branch: string | null = null;
  #version: string | null = null;
  #model: string | null = null;
  #window: number | null = null;
  #lastAt: number | null = null;
  /** Tokens in the context, as Codex counts them; null when none were reported. */
  #used: number | null = null;

  /** @param fileId the session's id from the file's name, or empty */
  constructor(fileId: string) {
    this.#lineage = new Lineage(fileId);
  }

  line(line: Buffer): void {
    if (quiet.test(line.toString("latin1", 0, quietLength))) return;
    const parsed = parseJsonLine(line);
    if (parsed.kind === "blank") return;
    const row = anyRow.safeParse(parsed.kind === "value" ? parsed.value : undefined);
    if (!row.success) {
      this.#counts.malformed += 1;
      return;
    }
    const { type, timestamp, ordinal, payload } = row.data;
    const moment: Moment = { at: timestamp ?? null, ordinal: ordinal ?? null };
    this.#lastAt = moment.at ?? this.#lastAt;
    if (!this.#read(type, payload, moment)) this.#counts.malformed += 1;
  }

  oversized(): void {
    this.#counts.oversized += 1;
  }

  session(): AgentSession<CodexRecord> {
    const { id, parentId, isSubagent, role } = this.#lineage;
    return {
      facts: {
        agent: "codex",
        sessionId: id,
        parentId,
        kind: isSubagent ? "subagent" : parentId === null ? "main" : "fork",
        agentType: role,
        cwd: this.#cwd,
        branch: this.#branch,
        // Rollouts do not contain thread names.
        title: null,
        agentVersion: this.#version,
        model: this.#model,
        lastAt: this.#lastAt,
        window: figureOf(this.#window),
        contextLeft: this.#contextLeft(),
        rateLimits: this.#limits.all(),
      },
      records: [...this.#records],
      activity: this.#work.activity(),
      skipped: this.#counts.counts(),
    };
  }

  /** Returns false when the payload lacks what its type requires. */
  #read(type: string, payload: unknown, moment: Moment): boolean {
    switch (type) {
      case "session_meta":
        return read(sessionMeta, payload, (meta) => this.#meta(meta, moment));
      case "turn_context":
        return read(turnContext, payload, ({ turn_id: turn, cwd, model }) => {
          if (typeof turn === "string") this.#lineage.turn(turn);
          this.#cwd = cwd ?? this.#cwd;
          this.#model = model ?? this.#model;
          this.#work.context(turn ?? null, this.#originAt(moment));
        });
      case "response_item":
        this.#work.item(payload, this.#originAt(moment));
        return true;
      case "compacted":
        this.#work.compacted(payload, {
          ...this.#originAt(moment),
          model: this.#model,
          held: this.#used,
        });
        return true;
      case "token_usage_record":
        return read(usageRow, payload, (row) => {
          const isOwn = (row.thread_id ?? this.#lineage.id) === this.#lineage.id;
          this.#response(row.response_id, row.usage, isOwn ? "own" : "copied", moment);
        });
      case "event_msg":
        return read(eventRow, payload, (event) => {
          if (event.type === "task_started" && typeof event.turn_id === "string")
            this.#lineage.turn(event.turn_id);
          this.#window = event.model_context_window ?? this.#window;
          this.#work.event(event.type, payload, this.#originAt(moment));
          return event.type !== "token_count" || read(tokenCount, payload, (row) => this.#count(row, moment));
        });
      default:
        if (!quietTypes.has(type)) this.#counts.unknown(type);
        return true;
    }
  }

  #meta(meta: SessionMeta, { at }: Moment): void {
    if (!this.#lineage.meta(meta, at)) return;
    this.#cwd = meta.cwd ?? this.#cwd;
    this.#branch = meta.git?.branch ?? this.#branch;
    this.#version = meta.cli_version ?? this.#version;
  }

  #response(id: string, usage: CodexUsage, origin: Origin, { at }: Moment): void {
    const held = this.#used;
    if (origin === "own") this.#used = usage.total_tokens ?? held;
    if (this.#responses.has(id)) return;
    this.#responses.add(id);
    const raw = rawOf(usage);
    this.#add({
      held,
      at,
      responseId: id,
      counters: countersOf(usage),
      raw,
      origin,
      key: `codex ${id}`,
      pair: null,
    });
  }

  #count({ info, rate_limits: limits }: TokenCount, moment: Moment): void {
    const origin = this.#lineage.originOf(moment);
    if (origin !== "copied") this.#limits.update(limits, moment.at);
    if (info === null || info === undefined) return;
    const { total_token_usage: total, last_token_usage: last } = info;
    this.#window = info.model_context_window ?? this.#window;
    const isFull = isZero(countersOf(total)) && (total.total_tokens ?? 0) > 0;
    const held = this.#used;
    this.#used = isFull ? (total.total_tokens ?? null) : (last?.total_tokens ?? this.#used);
    const mayInherit = this.#lineage.parentId !== null;
    if (last !== null && last !== undefined && isZero(countersOf(last))) this.#work.counted(this.#used);
    const counters = this.#total.advance({ total, last: last ?? null, mayInherit });
    if (counters === null || this.#responses.size > 0) return;
    const raw = rawOf(total);
    const pair = JSON.stringify([raw, last === null || last === undefined ? null : rawOf(last)]);
    const before = this.#pairs.get(pair) ?? 0;
    this.#pairs.set(pair, before + 1);
    // The key of each of a session's totals is the same in whatever file it is found: the session's own or its archived
    // copy.
    const key = origin === "copied" ? null : `codex ${this.#lineage.id} ${pair} ${before}`;
    this.#add({ held, at: moment.at, responseId: null, counters, raw, origin, key, pair });
  }

  #originAt({ at, ordinal }: Moment): { at: number | null; origin: Origin } {
    return { at, origin: this.#lineage.originOf({ at, ordinal }) };
  }

  #add(entry: {
    /** Tokens in the context before this response. */
    readonly held: number | null;
    readonly at: number | null;
    readonly responseId: string | null;
    readonly counters: Counters;
    readonly raw: Counters;
    readonly origin: Origin;
    readonly key: string | null;
    readonly pair: string | null;
  }): void {
    const { counters, held, ...rest } = entry;
    const { at, origin, responseId: response } = entry;
    this.#work.used(this.#records.length, { at, origin, response, held });
    this.#records.push({
      agent: "codex",
      sessionId: this.#lineage.id,
      cwd: this.#cwd,
      model: this.#model,
      usage: usageOf(counters),
      window: this.#window,
      isReplay: entry.origin === "copied",
      ...rest,
    });
  }

  #contextLeft(): Figure {
    const [window, used] = [this.#window, this.#used];
    if (window === null || used === null) return unknownFigure("the rollout does not tell yet");
    const value = codexContextLeft({ window, used });
    return { value, provenance: "measured", source: "Codex's own formula, on the numbers of its rollout" };
  }
}

function figureOf(window: number | null): Figure {
  if (window === null) return unknownFigure("the rollout does not tell yet");
  return { value: window, provenance: "official", source: "model_context_window in the rollout" };
}

/** Parses with the schema and calls `use`, which may return false if the row is malformed after all. */
function read<Row>(schema: ZodType<Row>, payload: unknown, use: (row: Row) => unknown): boolean {
  const parsed = schema.safeParse(payload);
  return parsed.success && use(parsed.data) !== false;
}
