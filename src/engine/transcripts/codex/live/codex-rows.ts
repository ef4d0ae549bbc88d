import { scrubStart } from "../../../base/scrub.ts";
import { cleanText, cutMiddle } from "../../../base/text.ts";
import type { ApiResponse } from "../../../usage/api-response.ts";
import type { RowReading, TranscriptEvent } from "../../agent-session.ts";
import type { RowReader } from "../../live-reader.ts";
import { startsAgain } from "../../records/recovered.ts";
import { optionalTime } from "../../row-values.ts";
import type { PairsOf } from "../codex-attribution.ts";
import { Lineage, ResponseCounter, type CountedResponse } from "../response-counter.ts";
import { LatestRateLimits } from "../read-rollout.ts";
import {
  ServiceTier,
  type EventRow,
  type SessionMeta,
  type TokenCount,
  type TurnContext,
} from "../codex-row-schema.ts";
import { readRolloutLine, type Moment, type RolloutRow } from "../rollout-row.ts";
import { usageOf } from "../total-counter.ts";
import { callIn, calledBy } from "../tool-calls.ts";
import { compactedRow, endEvent, Prompts } from "../work-rows.ts";
import { PendingCompaction } from "./pending-compaction.ts";
import { sentence } from "../../../base/language.ts";

export interface RolloutOf {
  /** The thread's id, from the file's name. */
  readonly threadId: string;
  /** The session that the thread belongs to. */
  readonly sessionId: string;
  /** True for a subagent's rollout. */
  readonly isSubagent: boolean;
  readonly pairsOf: PairsOf;
}

/** Results of tools and completed items, possibly long. Only their time is needed here. */
const passedOver = new RegExp(
  String.raw`^\{"timestamp":"([^"]{0,40})",(?:"ordinal":\d{1,15},)?"type":"(?:` +
    String.raw`response_item","payload":\{"type":"(?:function_call|custom_tool_call|tool_search)_output"|` +
    String.raw`event_msg","payload":\{"type":"item_completed",(?:"\w{1,20}":"[^"]{0,60}",){0,4}"item":\{"type":"(?!UserMessage")[A-Z])`,
  "u",
);
const passedOverLength = 400;

/** Longer texts of a prompt are cut. Characters. */
const maxPromptLength = 1000;
const maxDescriptionLength = 80;
const maxTypeLength = 100;
const windowSource = sentence("what Codex itself measures against");
const estimateSource = sentence("Codex's own estimate");

/**
 * Reads the lines of one rollout as they are written. Lines copied from the parent's rollout are reported as copies, or
 * skipped.
 */
export class Rows implements RowReader {
  readonly #of: RolloutOf;
  readonly #lineage: Lineage;
  readonly #responses: ResponseCounter;
  readonly #limits = new LatestRateLimits();
  readonly #tier = new ServiceTier();
  readonly #compaction = new PendingCompaction();
  readonly #prompts = new Prompts();
  #cwd: string | null = null;
  #branch: string | null = null;
  #model: string | null = null;
  #window: number | null = null;
  #calls = 0;
  /** Calls whose response has not been reported yet. A call counts together with its response's tokens. */
  #held: TranscriptEvent[] = [];
  /** Each response has a row of its own, after those of its calls. */
  #isRecorded = false;
  /** The last response, and the tokens in the context before it. */
  #last: CountedResponse | null = null;

  constructor(of: RolloutOf) {
    this.#of = of;
    this.#lineage = new Lineage(of.threadId);
    this.#responses = new ResponseCounter(this.#lineage);
  }

  read(line: Buffer): RowReading {
    const written = passedOver.exec(line.toString("latin1", 0, passedOverLength))?.[1];
    if (written !== undefined && !startsAgain(line, "codex"))
      return known(optionalTime.parse(written) ?? null, []);
    const read = readRolloutLine(line);
    switch (read.kind) {
      case "blank":
        return known(null, []);
      case "quiet":
        return known(read.moment.at, []);
      case "malformed":
        return { outcome: "malformed" };
      case "unknown":
        return { outcome: "unknown", type: read.type.slice(0, maxTypeLength) };
      case "row":
        return known(read.moment.at, this.#events(read.row, read.moment));
    }
  }

  #events(row: RolloutRow, moment: Moment): TranscriptEvent[] {
    switch (row.type) {
      case "session_meta":
        return this.#meta(row.meta, moment);
      case "turn_context":
        return this.#context(row.context, moment);
      case "response_item":
        return this.#item(row.payload, moment);
      case "compacted":
        return this.#isCopied(moment) ? [] : this.#compacted(row.payload, moment);
      case "token_usage_record":
        return this.#respond(this.#responses.record(row.usage), moment);
      case "event_msg":
        this.#begin(row.event);
        this.#tier.event(row.event.type, row.payload);
        return this.#isCopied(moment) ? [] : this.#event(row.event, row.payload, moment);
      case "token_count":
        return this.#count(row.count, moment);
    }
  }

  #meta(meta: SessionMeta, { at }: Moment): TranscriptEvent[] {
    if (!this.#lineage.meta(meta, at)) return [];
    this.#branch = meta.git?.branch ?? this.#branch;
    this.#isRecorded = recordsResponses(meta.cli_version ?? "");
    const { role: type, nickname: description } = this.#lineage;
    const facts: TranscriptEvent[] = this.#of.isSubagent
      ? [{ kind: "subagent", type, description, finished: null }]
      : [];
    return [...this.#workIn(meta.cwd ?? null), ...facts];
  }

  #context(context: TurnContext, moment: Moment): TranscriptEvent[] {
    const { turn_id: turn, cwd, model } = context;
    this.#tier.context(context);
    if (typeof turn === "string") this.#lineage.turn(turn);
    const isNew = typeof model === "string" && model !== this.#model;
    this.#model = model ?? this.#model;
    if (this.#isCopied(moment)) return [];
    const asked: TranscriptEvent[] = isNew ? [{ kind: "model", requestedModel: model }] : [];
    return [...this.#workIn(cwd ?? null), ...asked];
  }

  #workIn(cwd: string | null): TranscriptEvent[] {
    if (cwd === null || cwd === this.#cwd) return [];
    this.#cwd = cwd;
    return [{ kind: "place", cwd, branch: this.#branch }];
  }

  #item(payload: unknown, moment: Moment): TranscriptEvent[] {
    const isCopy = this.#isCopied(moment);
    const call = callIn(payload);
    if (call === undefined) return [];
    this.#responses.answered();
    if (isCopy && this.#of.isSubagent) return [];
    const { id, tool } = calledBy(call);
    this.#calls += 1;
    const called = {
      kind: "tool-call",
      id: id ?? `${this.#of.threadId} ${this.#calls}`,
      tool,
      isCopy,
    } as const;
    if (isCopy || !this.#isRecorded) return [called];
    this.#held.push(called);
    return [];
  }

  #calledBefore(): TranscriptEvent[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** The response that wrote the summary had read everything before it, and a little more. */
  #compacted(payload: unknown, { at }: Moment): TranscriptEvent[] {
    const written = compactedRow.safeParse(payload).data?.compaction_response_id ?? null;
    const isLast = written !== null && this.#last?.responseId === written;
    const before = this.#compaction.settle("unknown");
    this.#compaction.begin(at, isLast ? (this.#last?.held ?? null) : this.#responses.used);
    return before;
  }

  #begin({ type, turn_id: turn }: EventRow): void {
    this.#responses.event(type);
    if ((type === "task_started" || type === "turn_started") && typeof turn === "string")
      this.#lineage.turn(turn);
  }

  #event(event: EventRow, payload: unknown, { at }: Moment): TranscriptEvent[] {
    switch (event.type) {
      case "task_started":
      case "turn_started": {
        const before = this.#compaction.settle("unknown");
        this.#compaction.turnBegan();
        return [
          ...this.#calledBefore(),
          ...before,
          ...this.#measureAgainst(event.model_context_window ?? null),
        ];
      }
      case "task_complete":
      case "turn_complete":
      case "turn_aborted": {
        const failed = (endEvent.safeParse(payload).data?.error ?? null) !== null;
        const error: TranscriptEvent[] = failed ? [{ kind: "api-error", at }] : [];
        return [
          ...this.#calledBefore(),
          ...this.#compaction.settle("manual"),
          ...error,
          { kind: "turn-ended" },
        ];
      }
      case "error":
      case "stream_error":
        return [{ kind: "api-error", at }];
      default:
        return this.#prompt(event.type, payload, at);
    }
  }

  #prompt(type: string, payload: unknown, at: number | null): TranscriptEvent[] {
    const text = this.#prompts.read(type, payload)?.slice(0, maxPromptLength);
    if (text === undefined) return [];
    this.#compaction.prompted();
    const task: TranscriptEvent[] =
      this.#of.isSubagent && this.#prompts.isFirst
        ? [{ kind: "subagent", type: null, description: shortened(text), finished: null }]
        : [];
    return [...this.#compaction.known(), { kind: "prompt", at, text }, ...task];
  }

  #count(count: TokenCount, moment: Moment): TranscriptEvent[] {
    const { response, estimate } = this.#responses.count(count, moment);
    const counted = this.#respond(response, moment);
    if (this.#isCopied(moment)) return counted;
    return [
      ...this.#measureAgainst(count.info?.model_context_window ?? null),
      ...this.#limitsIn(count, moment),
      ...counted,
      ...this.#estimated(estimate),
    ];
  }

  #estimated(tokens: number | null): TranscriptEvent[] {
    if (tokens === null) return [];
    return this.#compaction.count(tokens)
      ? this.#compaction.known()
      : [{ kind: "context", tokens, source: estimateSource }];
  }

  #measureAgainst(window: number | null): TranscriptEvent[] {
    if (window === null || window === 0 || window === this.#window) return [];
    this.#window = window;
    return [{ kind: "window", tokens: window, source: windowSource }];
  }

  #limitsIn({ rate_limits: limits }: TokenCount, { at }: Moment): TranscriptEvent[] {
    if ((limits?.primary ?? limits?.secondary ?? null) === null) return [];
    this.#limits.update(limits, at);
    return [{ kind: "plan-limits", limits: this.#limits.all() }];
  }

  #respond(counted: CountedResponse | null, { at }: Moment): TranscriptEvent[] {
    if (counted === null) return [];
    this.#last = counted;
    const isCopy = this.#isCopiedResponse(counted);
    if (isCopy && this.#of.isSubagent) return [];
    const response: ApiResponse = {
      messageId: counted.responseId ?? counted.key ?? `copied ${counted.pair ?? ""}`,
      requestId: null,
      model: this.#model ?? "unknown",
      at,
      usage: usageOf(counted.counters),
      terms: this.#tier.terms,
      sessionId: this.#of.sessionId,
      cwd: this.#cwd,
      isSidechain: this.#of.isSubagent,
    };
    // A separate row shows whether the answer ends the turn.
    const event: TranscriptEvent = { kind: "response", response, isCopy, endsTurn: false };
    return isCopy ? [event] : [...this.#compaction.settle("auto"), event, ...this.#calledBefore()];
  }

  #isCopiedResponse({ origin, pair }: CountedResponse): boolean {
    const { parentId } = this.#lineage;
    if (origin !== "unsure" || pair === null || parentId === null) return origin === "copied";
    return this.#of.pairsOf(parentId).has(pair);
  }

  #isCopied(moment: Moment): boolean {
    return this.#lineage.originOf(moment) === "copied";
  }
}

/** Since 0.153.4. */
function recordsResponses(version: string): boolean {
  const [, major, minor] = /^(\d{1,6})\.(\d{1,6})\./u.exec(version) ?? [];
  return Number(major) > 0 || Number(minor) > 153;
}

function shortened(task: string): string {
  return cutMiddle(scrubStart(cleanText(task), maxPromptLength), maxDescriptionLength);
}

function known(at: number | null, events: readonly TranscriptEvent[]): RowReading {
  return { outcome: "known", isSidechain: false, at, events };
}
