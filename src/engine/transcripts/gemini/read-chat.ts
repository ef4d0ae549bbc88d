import { isZero } from "../../usage/api-response.ts";
import { unknownFigure } from "../../usage/token-counts.ts";
import type { UsageRecord } from "../../usage/aggregate.ts";
import type { AgentSession, SessionLines } from "../agent-session.ts";
import { parseJsonLine } from "../json-line.ts";
import { joined } from "../row-values.ts";
import { LineCounts } from "../usage-reader.ts";
import { workMessage, workOf, type WorkMessage } from "./chat-work.ts";
import {
  chatRow,
  message,
  type GeminiHeader,
  type GeminiMessage,
  countersOf,
  usageOf,
} from "./gemini-row-schema.ts";
import { sentence } from "../../base/language.ts";

export interface ChatLocation {
  readonly fileId: string;
  readonly cwd: string | null;
  readonly parentId: string | null;
}

type Place = Pick<UsageRecord, "sessionId" | "cwd">;

/** The facts that are counted from a message with tokens: its text is not stored. */
interface CountedMessage {
  readonly id: string;
  readonly at: number | null;
  readonly model: string | null;
  readonly counters: ReturnType<typeof countersOf>;
  /** Undefined after a change of facts that all records of the session share. */
  record: UsageRecord | undefined;
}

/**
 * Reads a Gemini CLI session in either format: a `.json` is one line, a header with messages. A message is written
 * again whenever it changes, and checkpoints repeat the whole history: the last version with token counts wins.
 * Rewound messages used their tokens all the same.
 */
export class ChatLines implements SessionLines {
  readonly #counts = new LineCounts();
  readonly #location: ChatLocation;
  readonly #messages = new Map<string, CountedMessage>();
  /** All messages, including those without tokens. */
  readonly #work = new Map<string, WorkMessage>();
  #id: string | null = null;
  #isSubagent = false;
  #directory: string | null = null;
  #title: string | null = null;
  #model: string | null = null;
  #lastAt: number | null = null;
  /** The session and folder that the records name. */
  #recorded: Place | undefined;

  constructor(location: ChatLocation) {
    this.#location = location;
  }

  line(line: Buffer): boolean {
    const parsed = parseJsonLine(line);
    if (parsed.kind === "malformed") this.#counts.malformed += 1;
    if (parsed.kind === "value") this.#row(parsed.value);
    return parsed.kind !== "malformed";
  }

  oversized(): void {
    this.#counts.oversized += 1;
  }

  session(): AgentSession {
    const { cwd, parentId } = this.#location;
    const unknown = unknownFigure(sentence("Gemini CLI's files do not tell"));
    return {
      facts: {
        agent: "gemini",
        sessionId: this.#sessionId(),
        parentId,
        kind: this.#isOfSubagent() ? "subagent" : "main",
        agentType: null,
        cwd: cwd ?? this.#directory,
        branch: null,
        title: this.#title,
        agentVersion: null,
        model: this.#model,
        lastAt: this.#lastAt,
        window: unknown,
        contextLeft: unknown,
        rateLimits: [],
      },
      records: this.#records(),
      activity: workOf(
        this.#work.values(),
        new Map([...this.#messages.keys()].map((id, index) => [id, index])),
      ),
      skipped: this.#counts.counts(),
    };
  }

  #row(row: unknown): void {
    const read = chatRow(row);
    switch (read.kind) {
      case "message":
        this.#message(read.message);
        break;
      case "header":
        this.#header(read.header, read.isUpdate);
        break;
      case "unknown":
        this.#counts.unknown(read.type);
        break;
      case "malformed":
        this.#counts.malformed += 1;
        break;
      case "rewind":
        break;
    }
  }

  #header(header: GeminiHeader, isCheckpoint: boolean): void {
    const { sessionId, kind, directories, summary, lastUpdated, messages } = header;
    this.#id ??= sessionId ?? null;
    this.#isSubagent ||= kind === "subagent";
    this.#directory = directories?.[0] ?? this.#directory;
    // A subagent's summary is its answer.
    if (!this.#isOfSubagent()) this.#title = summary ?? this.#title;
    this.#lastAt = lastUpdated ?? this.#lastAt;
    for (const each of messages ?? []) {
      const parsed = message.safeParse(each);
      if (parsed.success) this.#message(parsed.data, isCheckpoint);
      else this.#counts.malformed += 1;
    }
  }

  #message(data: GeminiMessage, isCheckpoint = false): void {
    const { tokens, id, type = null, timestamp: at = null } = data;
    // A resume lists old messages without their calls and tokens, and the calls' results under the same ids.
    if (!isCheckpoint || !this.#work.has(id))
      this.#work.set(id, workMessage(data, { type, at, isCheckpoint }));
    if (data.type !== "gemini") return;
    this.#model = data.model ?? this.#model;
    const counters = tokens === null || tokens === undefined ? null : countersOf(tokens);
    if (counters === null || isZero(counters)) return;
    this.#messages.set(id, { id, at, model: data.model ?? null, counters, record: undefined });
  }

  #isOfSubagent(): boolean {
    return this.#isSubagent || this.#location.parentId !== null;
  }

  /** Unchanged messages yield the same objects as last time. */
  #records(): UsageRecord[] {
    const place = { sessionId: this.#sessionId(), cwd: this.#location.cwd ?? this.#directory };
    const isMoved = place.sessionId !== this.#recorded?.sessionId || place.cwd !== this.#recorded.cwd;
    this.#recorded = place;
    return Array.from(this.#messages.values(), (each) => {
      if (isMoved || each.record === undefined) each.record = recordOf(each, place);
      return each.record;
    });
  }

  #sessionId(): string {
    return this.#id ?? this.#location.fileId;
  }
}

function recordOf({ id, at, model, counters: raw }: CountedMessage, { sessionId, cwd }: Place): UsageRecord {
  return {
    agent: "gemini",
    sessionId,
    cwd,
    model,
    at,
    // The id is the message's; the API's own is not recorded.
    responseId: null,
    usage: usageOf(raw),
    raw,
    window: null,
    isReplay: false,
    key: joined("gemini", sessionId, id),
  };
}
