import * as z from "zod";
import { addTo, type Parts } from "../../../transcripts/claude/message-parts.ts";

/** Beyond this the oldest are forgotten, and their messages stay unknown. */
const most = 100;

export const pendingRepliesState = z.array(
  z.object({ request: z.string(), message: z.string(), parts: z.array(z.tuple([z.string(), z.number()])) }),
);
export type PendingRepliesState = z.infer<typeof pendingRepliesState>;

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
export class PendingReplies {
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
      if (this.#replies.length > most) this.#replies.shift();
    }
    for (const [name, chars] of parts) addTo(reply.parts, name, chars);
  }

  /** Takes the answer to a request; it and everything before it are no longer pending. */
  takeAnswerTo(request: string): Parts | null {
    const index = this.#replies.findLastIndex((reply) => reply.request === request);
    if (index === -1) return null;
    const parts = this.#replies[index]?.parts ?? null;
    this.#replies = this.#replies.slice(index + 1);
    return parts;
  }

  /** Takes all pending replies if there are exactly that many: then the order says which is which. */
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
