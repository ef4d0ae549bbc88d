import { unknownFigure, type Figure } from "../../usage/token-counts.ts";
import type { UsageRecord } from "../../usage/aggregate.ts";
import type { RateLimit, SessionLines, AgentSession, Origin } from "../agent-session.ts";
import { LineCounts } from "../usage-reader.ts";
import { Lineage, ResponseCounter, type CountedResponse, type CountedBy } from "./response-counter.ts";
import { readRolloutLine, type Moment, type RolloutRow } from "./rollout-row.ts";
import { RolloutWork } from "./rollout-work.ts";
import {
  type EventRow,
  type SessionMeta,
  type TokenCount,
  type Limit,
  type RateLimits,
  ServiceTier,
} from "./codex-row-schema.ts";
import { usageOf } from "./total-counter.ts";
import { callIn } from "./tool-calls.ts";
import { sentence } from "../../base/language.ts";

/** The plan limits as last reported. A response without them changes nothing. */
export class LatestRateLimits {
  readonly #limits = new Map<string, RateLimit>();

  update(limits: RateLimits, at: number | null): void {
    this.#note(`${limits?.limit_id ?? "codex"} primary`, limits?.primary, at);
    this.#note(`${limits?.limit_id ?? "codex"} secondary`, limits?.secondary, at);
  }

  all(): RateLimit[] {
    return [...this.#limits.values()];
  }

  #note(name: string, limit: Limit, at: number | null): void {
    if (limit === null || limit === undefined) return;
    const {
      used_percent: usedPercent,
      window_minutes: minutes,
      resets_at: reset,
      resets_in_seconds: left,
    } = limit;
    const fromNow = typeof left === "number" && at !== null ? at + left * 1000 : null;
    this.#limits.set(name, {
      name,
      usedPercent,
      windowMinutes: minutes ?? null,
      resetsAt: typeof reset === "number" ? reset * 1000 : fromNow,
      at,
      provenance: "official",
    });
  }
}

/** Tokens that Codex always counts as used: its instructions and tools. */
const baseline = 12_000;

/**
 * The percent of the context that is left, as Codex itself shows it: relative to the window less a baseline, which the
 * user could not spend anyway. `used` is `last_token_usage.total_tokens`. Source:
 * `TokenUsage::percent_of_context_window_remaining` in codex-rs/protocol/src/protocol.rs.
 */
export function codexContextLeft({ window, used }: { window: number; used: number }): number {
  if (window <= baseline) return 0;
  const spendable = window - baseline;
  const left = spendable - Math.max(0, used - baseline);
  return Math.min(100, Math.max(0, Math.round((100 * left) / spendable)));
}

export interface CodexRecord extends UsageRecord {
  readonly agent: "codex";
  /** `unsure` when only the parent's file shows whether it is a copy: see `countRollouts`. */
  readonly origin: Origin;
  /** The total and last usage of a `token_count`, the same in a copy as in its original; null for other lines. */
  readonly pair: string | null;
  readonly countedBy: CountedBy;
}

export class RolloutLines implements SessionLines<CodexRecord> {
  readonly #counts = new LineCounts();
  readonly #limits = new LatestRateLimits();
  readonly #work = new RolloutWork();
  readonly #records: CodexRecord[] = [];
  readonly #lineage: Lineage;
  readonly #responses: ResponseCounter;
  readonly #tier = new ServiceTier();
  #cwd: string | null = null;
  #branch: string | null = null;
  #version: string | null = null;
  #model: string | null = null;
  #window: number | null = null;
  #lastAt: number | null = null;

  /** @param fileId the session's id from the file's name, or empty */
  constructor(fileId: string) {
    this.#lineage = new Lineage(fileId);
    this.#responses = new ResponseCounter(this.#lineage);
  }

  line(line: Buffer): boolean {
    const read = readRolloutLine(line);
    if (read.kind === "blank") return true;
    this.#lastAt = read.moment.at ?? this.#lastAt;
    if (read.kind === "malformed") this.#counts.malformed += 1;
    else if (read.kind === "unknown") this.#counts.unknown(read.type);
    else if (read.kind === "row") this.#read(read.row, read.moment);
    return read.kind !== "malformed";
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

  #read(row: RolloutRow, moment: Moment): void {
    switch (row.type) {
      case "session_meta":
        this.#meta(row.meta, moment);
        break;
      case "turn_context": {
        const { turn_id: turn, cwd, model } = row.context;
        if (typeof turn === "string") this.#lineage.turn(turn);
        this.#cwd = cwd ?? this.#cwd;
        this.#model = model ?? this.#model;
        this.#tier.context(row.context);
        this.#work.context(turn ?? null, this.#originAt(moment));
        break;
      }
      case "response_item":
        if (callIn(row.payload) !== undefined) this.#responses.answered();
        this.#work.item(row.payload, this.#originAt(moment));
        break;
      case "compacted":
        this.#work.compacted(row.payload, {
          ...this.#originAt(moment),
          model: this.#model,
          held: this.#responses.used,
        });
        break;
      case "token_usage_record":
        this.#add(this.#responses.record(row.usage), moment);
        break;
      case "event_msg":
        this.#event(row.event);
        this.#tier.event(row.event.type, row.payload);
        this.#work.event(row.event.type, row.payload, this.#originAt(moment));
        break;
      case "token_count":
        this.#event(row.event);
        this.#count(row.count, moment);
    }
  }

  #event({ type, turn_id: turn, model_context_window: window }: EventRow): void {
    this.#responses.event(type);
    if (type === "task_started" && typeof turn === "string") this.#lineage.turn(turn);
    this.#window = window ?? this.#window;
  }

  #meta(meta: SessionMeta, { at }: Moment): void {
    if (!this.#lineage.meta(meta, at)) return;
    this.#cwd = meta.cwd ?? this.#cwd;
    this.#branch = meta.git?.branch ?? this.#branch;
    this.#version = meta.cli_version ?? this.#version;
  }

  #count(count: TokenCount, moment: Moment): void {
    if (this.#lineage.originOf(moment) !== "copied") this.#limits.update(count.rate_limits, moment.at);
    this.#window = count.info?.model_context_window ?? this.#window;
    const { response, estimate } = this.#responses.count(count, moment);
    if (estimate !== null) this.#work.counted(estimate);
    this.#add(response, moment);
  }

  #originAt({ at, ordinal }: Moment): { at: number | null; origin: Origin } {
    return { at, origin: this.#lineage.originOf({ at, ordinal }) };
  }

  #add(response: CountedResponse | null, { at }: Moment): void {
    if (response === null) return;
    const { counters, held, ...rest } = response;
    const { origin, responseId } = response;
    this.#work.used(this.#records.length, { at, origin, response: responseId, held });
    this.#records.push({
      agent: "codex",
      sessionId: this.#lineage.id,
      at,
      cwd: this.#cwd,
      model: this.#model,
      usage: usageOf(counters),
      terms: this.#tier.terms,
      window: this.#window,
      isReplay: origin === "copied",
      ...rest,
    });
  }

  #contextLeft(): Figure {
    const window = this.#window;
    const { used } = this.#responses;
    if (window === null || used === null) return unknownFigure(sentence("the rollout does not tell yet"));
    const value = codexContextLeft({ window, used });
    return {
      value,
      provenance: "measured",
      source: sentence("Codex's own formula, on the numbers of its rollout"),
    };
  }
}

function figureOf(window: number | null): Figure {
  if (window === null) return unknownFigure(sentence("the rollout does not tell yet"));
  return { value: window, provenance: "official", source: sentence("model_context_window in the rollout") };
}
