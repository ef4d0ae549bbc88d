import * as z from "zod";
import type { Parts } from "../../../transcripts/claude/message-parts.ts";
import type { HashedParts, RequestRow } from "../../../transcripts/claude/request-rows.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import type { EntryFile } from "../entry-reader.ts";
import { cappedCount, idOrNull, shortKey } from "../fitting.ts";
import { HashedMessages, hashedMessagesState } from "./hashed-messages.ts";
import { PendingReplies, pendingRepliesState } from "./pending-replies.ts";
import { RecentKeys } from "../recent-keys.ts";

/** Most shapes remembered, which repeat, and most requests waiting for their response. */
const [mostShapes, mostWaiting] = [8, 8];
/** Length of the parts' JSON text; longer ones are left out. */
const longestParts = 20_000;

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
    this.#waiting = new RecentKeys(mostWaiting, state?.waiting ?? []);
  }

  shape({ hash, parts }: HashedParts): void {
    this.#shapes.set(shortKey(hash), parts);
    for (const oldest of this.#shapes.keys()) {
      if (this.#shapes.size <= mostShapes) break;
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

  /** After a compaction all messages are written anew. */
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
    if (id === null || parts === null || parts.length > longestParts) return [];
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
