import * as z from "zod/mini";
import { type ApiResponse, isBetter, ResponseSet, type ResponseCopy } from "../../usage/api-response.ts";
import { addUsage, noUsage, type TokenUsage } from "../../usage/token-counts.ts";
import { shortKey } from "./fitting.ts";
import { sha256Base64Url } from "../../base/hash.ts";

/** Messages with copies that are compared one by one: a response's rows are close together. */
const compared = 16;
/** Messages remembered as already counted. */
const remembered = 200;

const count = z.number().check(z.nonnegative());
const usage = z.object({
  input: count,
  output: count,
  cacheCreation5m: count,
  cacheCreation1h: count,
  cacheRead: count,
});

export const runSumState = z.object({
  counted: usage,
  copies: z.array(
    z.object({
      messageId: z.string(),
      requestId: z.nullable(z.string()),
      isSidechain: z.boolean(),
      at: z.nullable(z.number()),
      usage,
    }),
  ),
  told: z.array(z.string()),
});
export type RunSumState = z.infer<typeof runSumState>;

/**
 * The tokens of the current run, each response once by the rules of `ResponseSet`. Rows of a response that was counted
 * in an earlier run, or long ago in this one, are not counted again: memory stays bounded.
 */
export class RunSum {
  #counted: TokenUsage;
  readonly #copies = new Map<string, readonly ResponseCopy[]>();
  readonly #recent: RecentKeys;

  constructor(state: RunSumState | null) {
    this.#counted = state?.counted ?? noUsage;
    for (const copy of state?.copies ?? []) {
      this.#copies.set(copy.messageId, [...(this.#copies.get(copy.messageId) ?? []), copy]);
    }
    this.#recent = new RecentKeys(remembered, state?.told ?? []);
  }

  /** @returns false when the response belongs to an earlier run */
  add({ messageId: id, requestId, isSidechain, at, usage: used }: ApiResponse): boolean {
    const messageId = shortKey(id);
    const copy = {
      messageId,
      requestId: requestId === null ? null : shortKey(requestId),
      isSidechain,
      at,
      usage: used,
    };
    const held = this.#copies.get(messageId);
    if (held !== undefined) {
      this.#copies.set(messageId, withCopy(held, copy));
      return true;
    }
    if (this.#recent.has(messageId)) return false;
    this.#copies.set(messageId, [copy]);
    if (this.#copies.size > compared) this.#countOldest();
    return true;
  }

  restart(): void {
    while (this.#copies.size > 0) this.#countOldest();
    this.#counted = noUsage;
  }

  total(): TokenUsage {
    return [...this.#copies.values()].flatMap(countedOf).reduce(addResponse, this.#counted);
  }

  state(): RunSumState {
    return { counted: this.#counted, copies: [...this.#copies.values()].flat(), told: this.#recent.list() };
  }

  #countOldest(): void {
    for (const [messageId, copies] of this.#copies) {
      this.#counted = countedOf(copies).reduce(addResponse, this.#counted);
      this.#recent.add(messageId);
      this.#copies.delete(messageId);
      return;
    }
  }
}

/** At most one copy per request id and chain, so that endlessly repeated rows do not pile up. */
function withCopy(copies: readonly ResponseCopy[], copy: ResponseCopy): readonly ResponseCopy[] {
  const same = copies.findIndex(
    (other) => other.requestId === copy.requestId && other.isSidechain === copy.isSidechain,
  );
  const held = copies[same];
  if (held === undefined) return copies.length < compared ? [...copies, copy] : copies;
  return isBetter(copy, held) ? copies.with(same, copy) : copies;
}

function countedOf(copies: readonly ResponseCopy[]): readonly ResponseCopy[] {
  if (copies.length === 1) return copies;
  const set = new ResponseSet<ResponseCopy>();
  for (const copy of copies) set.add(copy);
  return [...set.responses()];
}

function addResponse(sum: TokenUsage, { usage: used }: ResponseCopy): TokenUsage {
  return addUsage(sum, used);
}

export class RecentKeys {
  readonly #max: number;
  readonly #keys: Set<string>;

  constructor(max: number, keys: readonly string[]) {
    this.#max = max;
    this.#keys = new Set(keys);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= this.#max) break;
      this.#keys.delete(oldest);
    }
  }

  delete(key: string): boolean {
    return this.#keys.delete(key);
  }

  /** Oldest first. */
  list(): string[] {
    return [...this.#keys];
  }
}

/** Maximum files tracked per run; beyond it the count is a lower bound. */
const maxFiles = 1000;

/** Keys of the files read once, and of those read more often. */
export const rereadsState = z.object({ once: z.array(z.string()), again: z.array(z.string()) });
type RereadsState = z.infer<typeof rereadsState>;

export class FileRereads {
  readonly #once: Set<string>;
  readonly #again: Set<string>;

  constructor(state: RereadsState | null) {
    this.#once = new Set(state?.once);
    this.#again = new Set(state?.again);
  }

  /** Files read at least twice. */
  get count(): number {
    return this.#again.size;
  }

  read(path: string): void {
    const key = sha256Base64Url(path, 10);
    if (this.#once.delete(key)) this.#again.add(key);
    else if (!this.#again.has(key) && this.#once.size + this.#again.size < maxFiles) this.#once.add(key);
  }

  restart(): void {
    this.#once.clear();
    this.#again.clear();
  }

  state(): RereadsState {
    return { once: [...this.#once], again: [...this.#again] };
  }
}
