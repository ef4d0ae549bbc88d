import type { ZodMiniType as ZodType } from "zod/mini";
import { isZero, type Counters, addCounters, increaseOf } from "../../usage/api-response.ts";
import { unknownFigure } from "../../usage/token-counts.ts";
import type { UsageRecord } from "../../usage/aggregate.ts";
import type { AgentSession, RateLimit, SessionLines } from "../agent-session.ts";
import { parseJsonLine } from "../json-line.ts";
import { LineCounts } from "../usage-reader.ts";
import { Accounting, rateLimitsIn, countersOf, usageOf } from "./accounting.ts";
import { EventWork } from "./event-work.ts";
import {
  isQuiet,
  anyRow,
  compactionUsageData,
  messageData,
  modelData,
  placeData,
  resumeData,
  startData,
  titleData,
  totalData,
  usageData,
  type CompactionUsageData,
  type TotalData,
  type UsageData,
} from "./copilot-row-schema.ts";
import { sentence } from "../../base/language.ts";

export interface CopilotRecord extends UsageRecord {
  readonly agent: "copilot";
  /** A single response, the growth of a total of many, or a row of the store. */
  readonly source: "response" | "total" | "store";
  /** The session that used it: a different one for a replay. */
  readonly usedBy: string;
  readonly agentId: string | null;
}

interface Moment {
  readonly at: number | null;
  readonly id: string | null;
  readonly agentId: string | null;
}

/**
 * Reads a Copilot CLI session's events. Newer versions record every response's usage. Older ones record only the
 * session's totals when a process ends, and nothing for a process that is killed or left with `/new`.
 */
export class EventLines implements SessionLines<CopilotRecord> {
  readonly #counts = new LineCounts();
  readonly #totals = new ModelTotals();
  readonly #accounting = new Accounting();
  readonly #work = new EventWork();
  readonly #records: CopilotRecord[] = [];
  readonly #keys = new Set<string>();
  readonly #limits = new Map<string, RateLimit>();
  #id: string;
  #parentId: string | null = null;
  #cwd: string | null = null;
  #branch: string | null = null;
  #title: string | null = null;
  #version: string | null = null;
  #model: string | null = null;
  #lastAt: number | null = null;
  #window: number | null = null;

  /** @param folderId the session's id from the file's folder, or empty */
  constructor(folderId: string) {
    this.#id = folderId;
  }

  line(line: Buffer): boolean {
    const parsed = parseJsonLine(line);
    if (parsed.kind === "blank") return true;
    const row = anyRow.safeParse(parsed.kind === "value" ? parsed.value : undefined);
    if (!row.success) {
      this.#counts.malformed += 1;
      return parsed.kind === "value";
    }
    const { type, data, timestamp: at = null, id = null, agentId = null } = row.data;
    this.#lastAt = at ?? this.#lastAt;
    if (!this.#read(type, data, { at, id, agentId })) this.#counts.malformed += 1;
    this.#work.read(type, data, { at, id, agentId, model: this.#model });
    return true;
  }

  oversized(): void {
    this.#counts.oversized += 1;
  }

  session(): AgentSession<CopilotRecord> {
    return {
      facts: {
        agent: "copilot",
        sessionId: this.#id,
        parentId: this.#parentId,
        kind: this.#parentId === null ? "main" : "subagent",
        agentType: null,
        cwd: this.#cwd,
        branch: this.#branch,
        title: this.#title,
        agentVersion: this.#version,
        model: this.#model,
        lastAt: this.#lastAt,
        window:
          this.#window === null
            ? unknownFigure(sentence("the session's events do not tell"))
            : {
                value: this.#window,
                provenance: "official",
                source: sentence("maxPromptTokens in the session's events"),
              },
        contextLeft: unknownFigure(sentence("Copilot CLI tells it only to its own screen")),
        rateLimits: [...this.#limits.values()],
      },
      records: [...this.#records],
      activity: this.#work.activity(),
      skipped: this.#counts.counts(),
    };
  }

  /** Returns false when the data lacks what its type requires. */
  #read(type: string, data: unknown, moment: Moment): boolean {
    switch (type) {
      case "session.start":
        return read(startData, data, (start) => {
          this.#id = start.sessionId ?? this.#id;
          this.#version = start.copilotVersion ?? this.#version;
          this.#parentId = start.detachedFromSpawningParentSessionId ?? null;
          this.#model = start.selectedModel ?? this.#model;
          this.#move(start.context);
        });
      case "session.resume":
        return read(resumeData, data, ({ selectedModel, context }) => {
          this.#model = selectedModel ?? this.#model;
          this.#move(context);
        });
      case "session.context_changed":
        return read(placeData, data, (place) => this.#move(place));
      case "session.model_change":
        return read(modelData, data, ({ newModel }) => (this.#model = newModel));
      case "session.title_changed":
        return read(titleData, data, ({ title }) => (this.#title = title));
      case "session.usage_record":
        return read(usageData, data, ({ usage }) => this.#response(usage, moment));
      case "session.compaction_complete":
        return read(compactionUsageData, data, (compaction) => this.#compaction(compaction, moment));
      case "assistant.message":
        return read(messageData, data, ({ outputTokens }) => this.#totals.addOutput(outputTokens ?? 0));
      case "session.shutdown":
        return read(totalData, data, (total) => this.#total(total, moment));
      default:
        if (!isQuiet(type)) this.#counts.unknown(type);
        return true;
    }
  }

  #move(
    place: { cwd?: string | null | undefined; branch?: string | null | undefined } | null | undefined,
  ): void {
    this.#cwd = place?.cwd ?? this.#cwd;
    this.#branch = place?.branch ?? this.#branch;
  }

  #response(usage: UsageData, { at, id, agentId: ownAgentId }: Moment): void {
    const counters = countersOf(usage);
    // A failed call has no usage.
    if (isZero(counters)) return;
    const apiCallId = usage.apiCallId ?? null;
    const agentId = ownAgentId ?? usage.parentToolCallId ?? this.#work.agentOf(apiCallId);
    const { usedBy, key, isReplay } = this.#accounting.read(usage, { sessionId: this.#id, agentId, id });
    if (this.#isRepeated(key)) return;
    const model = usage.model ?? this.#model;
    this.#totals.addResponse(model ?? "", { ...counters, requests: 1 });
    this.#window = usage.maxPromptTokens ?? this.#window;
    for (const limit of rateLimitsIn(usage.quotaSnapshots, at)) this.#limits.set(limit.name, limit);
    const responseId = usage.accounting?.usageId ?? apiCallId;
    if (!isReplay) this.#work.used(this.#records.length, { at, agentId, apiCallId });
    const used = { at, model, responseId, counters, raw: counters, isReplay, key, agentId };
    this.#add({ source: "response", usedBy, ...used });
  }

  #isRepeated(key: string | null): boolean {
    if (key === null) return false;
    const isRepeated = this.#keys.has(key);
    this.#keys.add(key);
    return isRepeated;
  }

  /** Versions that record no single responses have compactions in their totals. */
  #compaction(compaction: CompactionUsageData, { at, id, agentId }: Moment): void {
    const { compactionAttemptId, compactionTokensUsed: usage } = compaction;
    const counters = countersOf(usage ?? {});
    if (isZero(counters) || this.#keys.size === 0) return;
    const serial = compactionAttemptId ?? id;
    const key = serial === null ? null : `copilot ${this.#id} compaction ${serial}`;
    if (this.#isRepeated(key)) return;
    const model = usage?.model ?? this.#model;
    const common = { at, model, responseId: null, counters, raw: counters, isReplay: false, key, agentId };
    this.#add({ source: "response", usedBy: this.#id, ...common });
  }

  #total({ modelMetrics }: TotalData, { at, id }: Moment): void {
    const totals = new Map<string, Counters>();
    for (const [model, { usage, requests }] of Object.entries(modelMetrics)) {
      const count = requests?.count;
      const counters = countersOf(usage);
      totals.set(model, typeof count === "number" ? { ...counters, requests: count } : counters);
    }
    for (const { model, counters, raw } of this.#totals.advance(totals)) {
      const key = `copilot ${this.#id} ${id ?? JSON.stringify(raw)} ${model}`;
      const common = { at, model, responseId: null, counters, raw, isReplay: false, key, agentId: null };
      this.#add({ source: "total", usedBy: this.#id, ...common });
    }
  }

  #add(
    entry: Omit<CopilotRecord, "agent" | "sessionId" | "cwd" | "usage" | "window"> & {
      counters: Counters;
    },
  ): void {
    const { counters, ...rest } = entry;
    this.#records.push({
      agent: "copilot",
      sessionId: this.#id,
      cwd: this.#cwd,
      usage: usageOf(counters),
      window: this.#window,
      ...rest,
    });
  }
}

function read<Row>(schema: ZodType<Row>, data: unknown, use: (row: Row) => unknown): boolean {
  const parsed = schema.safeParse(data);
  if (parsed.success) use(parsed.data);
  return parsed.success;
}

/** The part of a model's cumulative total that no single response has reported. */
interface UnreportedUsage {
  readonly model: string;
  readonly counters: Counters;
  /** The total it was derived from. */
  readonly raw: Counters;
}

type Totals = ReadonlyMap<string, Counters>;

/**
 * Converts the totals by model, written when a process ends, into the usage since the previous ones. Newer versions
 * continue the count when a session is resumed; older ones restart it with each process, without marking it. A restart
 * shows when any model's counter goes back, or by the output of the messages since, where they record it.
 */
class ModelTotals {
  #totals: Totals = new Map();
  /** Usage reported by single responses since those totals. */
  #reported = new Map<string, Counters>();
  /** Output tokens of the messages since those totals. */
  #output = 0;

  /** Records a response that reported its own usage: the next totals include it. */
  addResponse(model: string, counters: Counters): void {
    this.#reported.set(model, addCounters(this.#reported.get(model) ?? {}, counters));
  }

  addOutput(tokens: number): void {
    this.#output += tokens;
  }

  advance(totals: Totals): UnreportedUsage[] {
    const before = this.#startsOver(totals) ? new Map<string, Counters>() : this.#totals;
    const unreported = [...totals].flatMap(([model, raw]) => {
      const { delta } = increaseOf(before.get(model) ?? null, raw);
      const { delta: counters, isReset: isMoreReported } = increaseOf(
        this.#reported.get(model) ?? null,
        delta,
      );
      // When single responses reported more than the total, they are the more precise figure.
      return isMoreReported || isZero({ ...counters, requests: 0 }) ? [] : [{ model, counters, raw }];
    });
    this.#totals = totals;
    this.#reported = new Map();
    this.#output = 0;
    return unreported;
  }

  #startsOver(totals: Totals): boolean {
    const wentBack = [...this.#totals].some(([model, before]) => {
      const now = totals.get(model);
      return now === undefined ? !isZero(before) : increaseOf(before, now).isReset;
    });
    if (wentBack || this.#output === 0) return wentBack;
    const [before, now] = [outputOf(this.#totals), outputOf(totals)];
    return Math.abs(now - this.#output) < Math.abs(now - before - this.#output);
  }
}

function outputOf(totals: Totals): number {
  return [...totals.values()].reduce((sum, counters) => sum + (counters["outputTokens"] ?? 0), 0);
}
