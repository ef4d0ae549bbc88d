import * as z from "zod/mini";
import { addTo, type Parts, type HashedParts, type RequestRow } from "../../../transcripts/claude.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import type { EntryFile } from "../collect-source.ts";
import { cappedCount, idOrNull, shortKey } from "../fitting.ts";
import { HashedMessages, hashedMessagesState } from "./hashed-messages.ts";
import { RecentKeys } from "../run-sum.ts";

/** Maximum number. Beyond it the oldest are dropped, and their messages stay unknown. */
const maxPending = 100;

const pendingRepliesState = z.array(
  z.object({ request: z.string(), message: z.string(), parts: z.array(z.tuple([z.string(), z.number()])) }),
);
type PendingRepliesState = z.infer<typeof pendingRepliesState>;

interface PendingReply {
  /** The id of the request it answers, and the response's own id. */
  readonly request: string;
  readonly message: string;
  readonly parts: Map<string, number>;
}

/**
 * Responses that no later request has sent back yet. Requests name them by hash like any message, but no row describes
 * a response's hash: the response's own rows already gave its contents.
 */
class PendingReplies {
  #replies: PendingReply[];

  constructor(state: PendingRepliesState | null) {
    this.#replies = (state ?? []).map((reply) => ({ ...reply, parts: new Map(reply.parts) }));
  }

  /** Adds one of a response's rows; each holds one block of it. */
  add(request: string, message: string, parts: Parts): void {
    let reply = this.#replies.find((held) => held.message === message);
    if (reply === undefined) {
      reply = { request, message, parts: new Map() };
      this.#replies.push(reply);
      if (this.#replies.length > maxPending) this.#replies.shift();
    }
    for (const [name, chars] of parts) addTo(reply.parts, name, chars);
  }

  /** Takes the answer to a request; the answer and everything before it are no longer pending. */
  takeAnswerTo(request: string): Parts | null {
    const index = this.#replies.findLastIndex((reply) => reply.request === request);
    if (index === -1) return null;
    const parts = this.#replies[index]?.parts ?? null;
    this.#replies = this.#replies.slice(index + 1);
    return parts;
  }

  /** Takes all pending replies if there are exactly `count`: then their order identifies them. */
  takeAll(count: number): readonly Parts[] | null {
    if (this.#replies.length !== count) return null;
    const taken = this.#replies.map(({ parts }) => parts);
    this.#replies = [];
    return taken;
  }

  clear(): void {
    this.#replies = [];
  }

  state(): PendingRepliesState {
    return this.#replies.map((reply) => ({ ...reply, parts: [...reply.parts] }));
  }
}

/** Maximum remembered shapes, which repeat, and maximum requests that wait for their response. */
const [maxShapes, maxWaiting] = [8, 8];
/** Length of the parts' JSON text; longer ones are left out. */
const maxPartsSize = 20_000;

export const fillsState = z.object({
  shapes: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.number()]))])),
  messages: hashedMessagesState,
  replies: pendingRepliesState,
  waiting: z.array(z.string()),
});
export type FillsState = z.infer<typeof fillsState>;

/**
 * What fills the window: the sizes of each request's parts. A request lists its messages by hash, mostly those of an
 * earlier request and a few more. If one of them is unknown, no fill is produced: a partial one would be wrong.
 */
export class ClaudeFills {
  readonly #file: EntryFile;
  readonly #shapes: Map<string, Parts>;
  readonly #messages: HashedMessages;
  readonly #replies: PendingReplies;
  readonly #waiting: RecentKeys;

  constructor(file: EntryFile, state: FillsState | null) {
    this.#file = file;
    this.#shapes = new Map(state?.shapes.map(([hash, parts]) => [hash, new Map(parts)]));
    this.#messages = new HashedMessages(state?.messages ?? null);
    this.#replies = new PendingReplies(state?.replies ?? null);
    this.#waiting = new RecentKeys(maxWaiting, state?.waiting ?? []);
  }

  shape({ hash, parts }: HashedParts): void {
    this.#shapes.set(shortKey(hash), parts);
    for (const oldest of this.#shapes.keys()) {
      if (this.#shapes.size <= maxShapes) break;
      this.#shapes.delete(oldest);
    }
  }

  blob({ hash, parts }: HashedParts): void {
    this.#messages.setParts(hash, parts);
  }

  /**
   * Takes one row of a response of the main chain. @param isOwn not copied from the session this one was forked from
   */
  replied(request: string, reply: { messageId: string; parts: Parts; isOwn: boolean }): LedgerEntry[] {
    const key = shortKey(request);
    const { messageId, parts, isOwn } = reply;
    this.#replies.add(key, shortKey(messageId), parts);
    const id = idOrNull(request);
    if (!isOwn || id === null || !this.#waiting.delete(key)) return [];
    const { sessionId, agentId } = this.#file;
    return [{ kind: "context-fill", id, sessionId, agentId, messageId: idOrNull(messageId) }];
  }

  /** After a compaction all messages are written again. */
  compacted(): void {
    this.#replies.clear();
  }

  requested(row: RequestRow, at: number | null): LedgerEntry[] {
    const key = shortKey(row.id);
    const base = row.base === null ? null : shortKey(row.base);
    const kept = base === null ? [] : (this.#messages.of(base)?.slice(0, row.keep) ?? null);
    if (kept?.length !== (base === null ? 0 : row.keep)) return [];
    this.#resolve(row, base);
    this.#messages.request(key, base, [...kept, ...row.tail]);
    const id = idOrNull(row.id);
    const parts = this.#partsOf(key, row.shapeHash);
    if (id === null || parts === null || parts.length > maxPartsSize) return [];
    this.#waiting.add(key);
    const { sessionId, agentId } = this.#file;
    return [{ kind: "context-fill", id, sessionId, agentId, at, parts }];
  }

  /** After a skipped row, hashes can no longer be resolved with certainty. */
  forget(): void {
    this.#messages.clear();
    this.#replies.clear();
  }

  state(): FillsState {
    return {
      shapes: [...this.#shapes].map(([hash, parts]) => [hash, [...parts]]),
      messages: this.#messages.state(),
      replies: this.#replies.state(),
      waiting: this.#waiting.list(),
    };
  }

  /** Matches hashes that no row described with pending responses, where the match is certain. */
  #resolve({ tail, keep }: RequestRow, base: string | null): void {
    const unknown = tail.filter((hash) => !this.#messages.isKnown(hash));
    const [first] = tail;
    if (first === undefined || unknown.length === 0) return;
    // The message that follows all messages of a request is its answer.
    const isAnswer = base !== null && first === unknown[0] && this.#messages.of(base)?.length === keep;
    const answer = isAnswer ? this.#replies.takeAnswerTo(base) : null;
    if (answer !== null) {
      this.#messages.setParts(first, answer);
      return;
    }
    const all = this.#replies.takeAll(unknown.length) ?? [];
    for (const [index, hash] of unknown.entries()) {
      const parts = all[index];
      if (parts !== undefined) this.#messages.setParts(hash, parts);
    }
  }

  #partsOf(request: string, shapeHash: string | null): string | null {
    const shape = shapeHash === null ? undefined : this.#shapes.get(shortKey(shapeHash));
    const messages = this.#messages.total(request);
    if (shape === undefined || messages === null) return null;
    const parts = [...shape, ...messages].map(([name, chars]) => [name, cappedCount(chars)]);
    return JSON.stringify(Object.fromEntries(parts));
  }
}
