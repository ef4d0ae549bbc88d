import { occupancy } from "../../usage/token-counts.ts";
import type { RowReading, TranscriptEvent } from "../agent-session.ts";
import { parseJsonLine } from "../json-line.ts";
import type { RowReader } from "../live-reader.ts";
import {
  chatRow,
  message,
  type GeminiHeader,
  type GeminiMessage,
  countersOf,
  usageOf,
} from "./gemini-row-schema.ts";
import {
  toolCallsOf,
  holdsSummary,
  promptText,
  textChars,
  endsSubagent,
  isDone,
  type GeminiToolCall,
} from "./message-content.ts";
import { sentence } from "../../base/language.ts";
import { isObject } from "../../base/parse.ts";
import { type ApiResponse, isZero } from "../../usage/api-response.ts";
import { textAt } from "../claude/message-parts.ts";

/** A response and the tokens its request put into the context. */
interface HistoryResponse {
  readonly id: string;
  readonly tokens: number;
}

/** The messages that the next request sends, in order, as far as a file records them. */
class ChatHistory {
  /** Tokens of each response by message id; null for other messages. */
  #messages = new Map<string, number | null>();
  /** The same for every message ever written: a resume lists old messages without their tokens. */
  readonly #known = new Map<string, number | null>();

  /** @param tokens that the message's request put into the context; null for anything but a response */
  add(id: string, tokens: number | null): void {
    const known = tokens ?? this.#known.get(id) ?? null;
    this.#known.set(id, known);
    this.#messages.set(id, known);
  }

  has(id: string): boolean {
    return this.#messages.has(id);
  }

  /** Whether the message was ever written, taken back or not. */
  knows(id: string): boolean {
    return this.#known.has(id);
  }

  /** Whether a response with this id was ever written. */
  hasResponse(id: string): boolean {
    return (this.#known.get(id) ?? null) !== null;
  }

  /** Takes back this message and all later ones; if it is not in the list, all messages, as the agent does. */
  cutFrom(id: string): void {
    const ids = [...this.#messages.keys()];
    const from = Math.max(0, ids.indexOf(id));
    for (const each of ids.slice(from)) this.#messages.delete(each);
  }

  clear(): void {
    this.#messages = new Map();
  }

  lastResponse(): HistoryResponse | null {
    let last: HistoryResponse | null = null;
    for (const [id, tokens] of this.#messages) if (tokens !== null) last = { id, tokens };
    return last;
  }
}

/**
 * The window against which Gemini CLI measures a model, as its footer does. Tokens. Source: `tokenLimits.ts` of 0.61.0.
 */
function tokenLimit(model: string): number {
  return model.startsWith("gemma-4-") ? 256_000 : 1_048_576;
}

const limitSource = sentence("Gemini CLI's own limit for the model");

const takenBack = sentence("the last response before what was taken back");

/**
 * Follows one chat file. A message is written again whenever it changes, and lists of all messages repeat it. It counts
 * once, in its last version.
 */
export class LiveChat implements RowReader {
  readonly #owner: ChatOwner;
  readonly #history = new ChatHistory();
  /** The response that shows the size of the context; null after a compression. */
  #current: string | null = null;
  #lastPrompt: string | null = null;
  /** The last message made tool calls, so the agent itself continues. */
  #isCalling = false;
  #model: string | null = null;
  #isPlaced = false;

  constructor(owner: ChatOwner) {
    this.#owner = owner;
  }

  read(line: Buffer): RowReading {
    const parsed = parseJsonLine(line);
    if (parsed.kind === "malformed") return { outcome: "malformed" };
    return parsed.kind === "blank" ? this.#known(null, []) : this.readRow(parsed.value);
  }

  readRow(row: unknown): RowReading {
    const read = chatRow(row);
    switch (read.kind) {
      case "message":
        return this.#known(lastTimeOf(read.message), this.#message(read.message));
      case "header":
        return this.#known(read.header.lastUpdated ?? null, this.#header(read.header, read.isUpdate));
      case "rewind":
        this.#history.cutFrom(read.to);
        return this.#known(null, this.#afterCut());
      case "unknown":
        return { outcome: "unknown", type: read.type };
      case "malformed":
        return { outcome: "malformed" };
    }
  }

  #known(at: number | null, events: readonly TranscriptEvent[]): RowReading {
    return { outcome: "known", isSidechain: this.#owner.agentId !== null, at, events };
  }

  #header(header: GeminiHeader, isUpdate: boolean): TranscriptEvent[] {
    const { directories, summary, messages, lastUpdated } = header;
    const events = this.#place(directories?.[0] ?? null);
    if (typeof summary === "string") events.push(...this.#summary(summary));
    if (messages === null || messages === undefined) return events;
    const listed = messages.flatMap((each) => message.safeParse(each).data ?? []);
    if (isUpdate) events.push(...this.#replace(listed, lastUpdated ?? null));
    else for (const each of listed) events.push(...this.#message(each));
    return events;
  }

  /** Null where the agent's version does not record its starting folder: then its first directory is used. */
  #place(directory: string | null): TranscriptEvent[] {
    const cwd = this.#owner.cwd ?? directory;
    if (cwd === null || this.#isPlaced) return [];
    this.#isPlaced = true;
    return [{ kind: "place", cwd, branch: null }];
  }

  /** A session's summary is its title; a subagent's is written when it reached its goal. */
  #summary(summary: string): TranscriptEvent[] {
    if (this.#owner.agentId === null) return [{ kind: "title", title: summary }];
    return [{ kind: "subagent", type: null, description: null, finished: true }, { kind: "turn-ended" }];
  }

  #message(row: GeminiMessage): TranscriptEvent[] {
    if (row.type === "user") return this.#userMessage(row);
    if (row.type === "gemini") return this.#reply(row);
    if (row.type === "error") return this.#error(row);
    this.#history.add(row.id, null);
    return [];
  }

  #error({ id, timestamp = null }: GeminiMessage): TranscriptEvent[] {
    const isKnown = this.#history.knows(id);
    this.#history.add(id, null);
    return isKnown ? [] : [{ kind: "api-error", at: timestamp }, { kind: "turn-ended" }];
  }

  #userMessage(row: GeminiMessage): TranscriptEvent[] {
    const isKnown = this.#history.knows(row.id);
    this.#history.add(row.id, null);
    const text = promptText(row);
    if (text === null || isKnown) return [];
    const isFirst = this.#lastPrompt === null;
    this.#lastPrompt = row.id;
    this.#isCalling = false;
    const prompt: TranscriptEvent = { kind: "prompt", at: row.timestamp ?? null, text };
    if (this.#owner.agentId === null || !isFirst) return [prompt];
    return [{ kind: "subagent", type: null, description: text, finished: null }, prompt];
  }

  #reply(row: GeminiMessage): TranscriptEvent[] {
    this.#model = row.model ?? this.#model;
    const response = responseOf(row, this.#model, this.#owner);
    const isNew = response !== null && !this.#history.hasResponse(row.id);
    this.#history.add(row.id, response === null ? null : occupancy(response.usage));
    const calls = toolCallsOf(row);
    this.#isCalling = calls.length > 0;
    const events: TranscriptEvent[] = [];
    if (isNew) this.#current = row.id;
    if (response !== null) {
      const isAnswer = calls.length === 0 && textChars(row["content"]) > 0;
      const endsTurn = isAnswer && this.#owner.agentId === null;
      events.push({ kind: "window", tokens: tokenLimit(response.model), source: limitSource });
      events.push({ kind: "response", response, isCopy: false, endsTurn });
    }
    return [...events, ...callEvents(calls)];
  }

  /** The agent writes all messages at once when it changes them: to resume, compress or take back. */
  #replace(listed: readonly GeminiMessage[], at: number | null): TranscriptEvent[] {
    const isCompression = listed.some(
      ({ id, type, content }) => type === "user" && !this.#history.knows(id) && holdsSummary(content),
    );
    const compaction = isCompression ? this.#compaction(at) : [];
    this.#history.clear();
    const news = listed.flatMap((each) => this.#listed(each));
    return [...news, ...compaction, ...(isCompression ? [] : this.#afterCut())];
  }

  /** A response that appears only in a list was written to another file. */
  #listed(row: GeminiMessage): TranscriptEvent[] {
    if (row.type === "gemini" && !this.#history.knows(row.id)) return this.#reply(row);
    const response = row.type === "gemini" ? responseOf(row, this.#model, this.#owner) : null;
    this.#history.add(row.id, response === null ? null : occupancy(response.usage));
    return [];
  }

  /**
   * During a turn only the agent itself compresses. Before a prompt a person may have requested it. The files have no
   * sizes: the size before is the last response's, and the next response shows the size after.
   */
  #compaction(at: number | null): TranscriptEvent[] {
    const trigger = this.#isCalling ? "auto" : "unknown";
    const last = this.#current === null ? null : this.#history.lastResponse();
    this.#current = null;
    return [
      { kind: "compaction", compaction: { trigger, preTokens: last?.tokens ?? null, postTokens: null, at } },
    ];
  }

  /** After messages were taken back, the last remaining response shows the size of the context. */
  #afterCut(): TranscriptEvent[] {
    const events: TranscriptEvent[] = [];
    if (this.#lastPrompt !== null && !this.#history.has(this.#lastPrompt)) {
      this.#isCalling = false;
      events.push({ kind: "turn-ended" });
    }
    const last = this.#history.lastResponse();
    if (last === null || this.#current === null || last.id === this.#current) return events;
    this.#current = last.id;
    events.push({ kind: "context", tokens: last.tokens, source: takenBack });
    return events;
  }
}

export interface ChatOwner {
  readonly sessionId: string;
  /** The subagent that wrote the file; null for a session's own. */
  readonly agentId: string | null;
  /** Where the agent was started; null where its version does not record it. */
  readonly cwd: string | null;
}

/** The response that a message records; null without tokens, or before any message named a model. */
function responseOf(
  { id, timestamp, tokens }: GeminiMessage,
  model: string | null,
  { sessionId, agentId, cwd }: ChatOwner,
): ApiResponse | null {
  if (tokens === null || tokens === undefined || model === null) return null;
  const counters = countersOf(tokens);
  if (isZero(counters)) return null;
  return {
    // The API's own id is not recorded.
    messageId: id,
    requestId: null,
    model,
    at: timestamp ?? null,
    usage: usageOf(counters),
    sessionId,
    cwd,
    isSidechain: agentId !== null,
  };
}

function callEvents(calls: readonly GeminiToolCall[]): TranscriptEvent[] {
  return calls.flatMap((call): TranscriptEvent[] => {
    const { id, name, args, agentId } = call;
    const made: TranscriptEvent = { kind: "tool-call", id, tool: name, isCopy: false };
    if (endsSubagent(call))
      return [
        made,
        { kind: "subagent", type: null, description: null, finished: true },
        { kind: "turn-ended" },
      ];
    if (typeof agentId !== "string" || agentId === "") return [made];
    const type = textAt(isObject(args) ? args : null, "agent_name");
    const finished = isDone(call) ? true : null;
    return [made, { kind: "subagent", agentId, type, description: null, finished }];
  });
}

/** A message that is rewritten with its calls' results keeps its own time; the results have later times. */
function lastTimeOf(row: GeminiMessage): number | null {
  const times = [row.timestamp, ...toolCallsOf(row).map(({ timestamp }) => timestamp)];
  const known = times.filter((at): at is number => typeof at === "number");
  return known.length === 0 ? null : Math.max(...known);
}
