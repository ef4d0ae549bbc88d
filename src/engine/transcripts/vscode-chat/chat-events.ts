import type { RowReading, TranscriptEvent } from "../agent-session.ts";
import { noUsage } from "../../usage/token-counts.ts";
import type { ChatLog } from "./chat-records.ts";
import type { Request, RequestUsage, ModelWindows } from "./request-state.ts";
import { sentence, plainSentence } from "../../base/language.ts";
import { joined } from "../row-values.ts";

/** A model call that a chat's file records: only the last one per request at each writing of the file. */
interface Round {
  readonly request: Request;
  /** Stable until the file records more. */
  readonly id: string;
  /** Whole prompt, cached tokens included. */
  readonly prompt: number;
  /** Output since the file recorded less of the request; null if earlier calls of the request were missed. */
  readonly output: number | null;
  /** The call was reported before, with a smaller prompt. */
  readonly isAgain: boolean;
  /** A later request was reported before: this one does not describe the present. */
  readonly isOld: boolean;
}

/**
 * Compares the current figures of a chat's requests with their earlier ones. A request's prompt is that of its last
 * call. Its output is summed over its calls, so the last call's output is the difference.
 */
class RoundLog {
  /** The last reported figures, by request. */
  readonly #reported = new Map<string, RequestUsage & Pick<Round, "output">>();

  /**
   * Returns the calls that are new since the last time, in sending order.
   *
   * @param changed requests that may have new figures
   */
  take(requests: readonly Request[], changed: ReadonlySet<Request>): Round[] {
    if (changed.size === 0) return [];
    const last = requests.findLastIndex(({ id }) => this.#reported.has(id));
    return requests.flatMap((request, index) => {
      const { id, usage, hasTools } = request;
      if (usage === null || !changed.has(request)) return [];
      const before = this.#reported.get(id);
      if (before?.prompt === usage.prompt && before.completion === usage.completion) return [];
      const output = outputSince(before, usage, hasTools);
      this.#reported.set(id, { ...usage, output });
      // A call does not shrink: its figures were corrected, and it is counted already.
      if (before?.completion === usage.completion && usage.prompt < before.prompt) return [];
      const isAgain = before?.completion === usage.completion;
      const round = { request, prompt: usage.prompt, output, isAgain, isOld: index < last };
      return [{ ...round, id: joined(id, usage.completion) }];
    });
  }
}

function outputSince(
  before: (RequestUsage & Pick<Round, "output">) | undefined,
  { completion }: RequestUsage,
  hasTools: boolean,
): number | null {
  // More of the same call: an earlier entry of it had not arrived.
  if (before?.completion === completion) return before.output;
  if (before !== undefined && before.completion < completion) return completion - before.completion;
  return hasTools ? null : completion;
}

export interface ChatEventsInput {
  readonly sessionId: string;
  /** Null while the folder is unknown. */
  readonly cwd: () => string | null;
  readonly windows: ModelWindows;
  /** Returns whether another file records the calls of a request, given when the chat's own was written. */
  readonly cover: (writtenAt: number) => (request: Request) => boolean;
}

/** Short enough for a tooltip to show it whole. */
const partial = sentence("last calls only; for all: github.copilot.chat.agentDebugLog.fileLogging.enabled");
const noCache = sentence("VS Code's chat does not store what was read from the cache");
const silent = sentence("this chat's participant does not tell its token usage");
const delayed = sentence("VS Code writes a chat's file once a minute, or when its window loses focus");

/** Turns a chat's file into events, each reported once, however often the file repeats it. */
export class ChatEvents {
  readonly #chat: ChatEventsInput;
  readonly #rounds = new RoundLog();
  readonly #seen = new Map<string, Request["state"]>();
  /** Requests that were reported completely. A request that changes becomes another object. */
  readonly #done = new WeakSet<Request>();
  /** Ids of the requests with a reported compaction. */
  readonly #compactedIn = new Set<string>();
  #isBegun = false;
  #isPlaced = false;
  #hasReportedPartialUsage = false;
  #title: string | null = null;
  /** Last reported window of the newest request's model. */
  #window: string | null = null;
  /** Last reported context size. Tokens. */
  #context: number | null = null;
  /**
   * The context was reported separately since the last response: another figure for that response does not change it.
   */
  #isCorrected = false;

  constructor(chat: ChatEventsInput) {
    this.#chat = chat;
  }

  /**
   * Returns the events that are new since the last time. @param writtenAt when the file was written, milliseconds since
   * the epoch
   */
  take(log: ChatLog, writtenAt: number): RowReading[] {
    if (!log.isOpen) return [];
    const all = log.requests();
    const covers = this.#chat.cover(writtenAt);
    const own = all.filter((request) => !covers(request));
    // A later request recorded by another file describes the present better.
    const newestElsewhere = all.findLastIndex((request) => request.usage !== null && covers(request));
    const past = new Set(all.slice(0, Math.max(0, newestElsewhere)));
    const isPast = (request: Request) => past.has(request);
    const changed = new Set(own.filter((request) => !this.#done.has(request)));
    const rounds = new Map(this.#rounds.take(own, changed).map((round) => [round.request.id, round]));
    // A later request in another file hides these. They may be reported when that request is taken back.
    for (const request of changed) if (!isPast(request)) this.#done.add(request);
    const fresh = [...changed];
    return [
      ...this.#begin(log),
      ...this.#shown(log, all),
      ...fresh.flatMap((request) => this.#entered(request)),
      ...fresh.flatMap((request) => {
        const round = rounds.get(request.id);
        const called = round === undefined ? [] : this.#called(round, { writtenAt, isPast });
        const compacted = isPast(request) ? [] : this.#compacted(request);
        // A request's usage is that of its last call: the one after the summary. `/compact` makes only the summary
        // call.
        return request.compaction === "manual" ? [...called, ...compacted] : [...compacted, ...called];
      }),
      ...this.#corrected(own, isPast),
      ...fresh.flatMap((request) => this.#ended(request)),
      ...this.#written(own, { all, writtenAt }),
    ];
  }

  #begin(log: ChatLog): RowReading[] {
    if (this.#isBegun) return [];
    this.#isBegun = true;
    return [row(log.head().creationDate ?? null, [])];
  }

  /** Events that do not depend on which file records the calls: folder, title and window. */
  #shown(log: ChatLog, requests: readonly Request[]): RowReading[] {
    const events: TranscriptEvent[] = [];
    const cwd = this.#isPlaced ? null : this.#chat.cwd();
    if (cwd !== null) events.push({ kind: "place", cwd, branch: null });
    this.#isPlaced ||= cwd !== null;
    const title = log.head().customTitle ?? null;
    if (title !== null && title !== this.#title) events.push({ kind: "title", title });
    this.#title = title;
    const { windows } = this.#chat;
    windows.note(log.head());
    const newest = requests.findLast(({ model }) => model !== null);
    const window = newest === undefined ? null : windows.of(newest);
    const name = window === null ? null : `${window.tokens} ${window.source.text}`;
    if (name !== this.#window)
      events.push({ kind: "window", ...(window ?? { tokens: null, source: plainSentence("") }) });
    this.#window = name;
    return events.length === 0 ? [] : [row(null, events)];
  }

  #entered({ id, prompt, sentAt }: Request): RowReading[] {
    if (this.#seen.has(id)) return [];
    this.#seen.set(id, "running");
    return prompt === null ? [] : [row(sentAt, [{ kind: "prompt", at: sentAt, text: prompt }])];
  }

  #called(
    round: Round,
    { writtenAt, isPast }: { writtenAt: number; isPast: (request: Request) => boolean },
  ): RowReading[] {
    const { request, id: messageId, prompt, output } = round;
    const { sessionId } = this.#chat;
    const at = request.endedAt ?? writtenAt;
    const isSidechain = round.isOld || isPast(request);
    const events: TranscriptEvent[] = [
      ...this.#untold(),
      {
        kind: "response",
        response: {
          messageId,
          requestId: null,
          model: request.model ?? "unknown",
          at,
          usage: { ...noUsage, input: prompt, output: output ?? 0 },
          sessionId,
          cwd: this.#chat.cwd(),
          isSidechain,
        },
        isCopy: false,
        endsTurn: false,
      },
    ];
    const isCurrent = !isSidechain && !(round.isAgain && this.#isCorrected);
    if (isCurrent) this.#context = prompt;
    if (isCurrent) this.#isCorrected = false;
    return [row(at, events)];
  }

  /** The file does not record how full the context was: it may have grown since the request before. */
  #compacted({ id, compaction, sentAt, endedAt }: Request): RowReading[] {
    if (compaction === null || this.#compactedIn.has(id)) return [];
    this.#compactedIn.add(id);
    const at = endedAt ?? sentAt;
    const event = { trigger: compaction, preTokens: null, postTokens: null, at };
    return [row(at, [{ kind: "compaction", compaction: event }])];
  }

  #untold(): TranscriptEvent[] {
    if (this.#hasReportedPartialUsage) return [];
    this.#hasReportedPartialUsage = true;
    return [
      { kind: "untold", figure: "usage", reason: partial },
      { kind: "untold", figure: "cache", reason: noCache },
    ];
  }

  /** After a person or the file took requests back, the context is that of the newest remaining request. */
  #corrected(own: readonly Request[], isPast: (request: Request) => boolean): RowReading[] {
    const newest = own.findLast(({ usage }) => usage !== null);
    const tokens = newest === undefined || isPast(newest) ? null : (newest.usage?.prompt ?? null);
    if (tokens === null || tokens === this.#context) return [];
    this.#context = tokens;
    this.#isCorrected = true;
    const source = sentence("token usage of the newest request that was not taken back");
    return [row(null, [{ kind: "context", tokens, source }])];
  }

  #ended({ id, state, sentAt, endedAt, usage }: Request): RowReading[] {
    if (state === "running" || this.#seen.get(id) === state) return [];
    this.#seen.set(id, state);
    const at = endedAt ?? sentAt;
    const events: TranscriptEvent[] = [{ kind: "turn-ended" }];
    if (state === "failed") events.push({ kind: "api-error", at });
    if (state === "complete" && usage === null)
      events.push({ kind: "untold", figure: "context", reason: silent });
    return [row(at, events)];
  }

  #written(
    own: readonly Request[],
    { all, writtenAt }: { all: readonly Request[]; writtenAt: number },
  ): RowReading[] {
    const last = all.at(-1);
    if (last === undefined || !own.includes(last)) return [];
    return [row(null, [{ kind: "as-of", at: writtenAt, reason: delayed }])];
  }
}

function row(at: number | null, events: readonly TranscriptEvent[]): RowReading {
  return { outcome: "known", isSidechain: false, at, events };
}
