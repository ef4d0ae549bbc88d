import { joined } from "../../base/text/joined.ts";
import type { Request, RequestUsage } from "./request-state.ts";

/** A call of the model that a chat's file tells of: only the last one of each request at each writing of the file. */
export interface Round {
  readonly request: Request;
  /** Stable as long as nothing new is told. */
  readonly id: string;
  /** Whole prompt, cached tokens included. */
  readonly prompt: number;
  /** Output since the file told less of the request; null where the request had calls before that were not seen. */
  readonly output: number | null;
  /** The call was told before, with a smaller prompt. */
  readonly isAgain: boolean;
  /** A later request was told before: this one says nothing about the present. */
  readonly isOld: boolean;
}

/**
 * Compares what a chat's requests tell with what they told before. A request's prompt is that of its last call; its output
 * is summed over its calls, so that the last call's is the difference.
 */
export class RoundLog {
  /** What was told last, by request. */
  readonly #told = new Map<string, RequestUsage & Pick<Round, "output">>();

  /**
   * Returns the calls that are new since the last time, in sending order.
   *
   * @param changed those of the requests that may tell something new
   */
  take(requests: readonly Request[], changed: ReadonlySet<Request>): Round[] {
    if (changed.size === 0) return [];
    const last = requests.findLastIndex(({ id }) => this.#told.has(id));
    return requests.flatMap((request, index) => {
      const { id, usage, hasTools } = request;
      if (usage === null || !changed.has(request)) return [];
      const before = this.#told.get(id);
      if (before?.prompt === usage.prompt && before.completion === usage.completion) return [];
      const output = outputSince(before, usage, hasTools);
      this.#told.set(id, { ...usage, output });
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
  // More of the same call: an entry of its writing had not arrived.
  if (before?.completion === completion) return before.output;
  if (before !== undefined && before.completion < completion) return completion - before.completion;
  return hasTools ? null : completion;
}
