import { createHash } from "node:crypto";
import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";

/** One part of a request, in the order in which the provider reads them: tools, system, messages. */
export interface RequestPart {
  readonly text: string;
  readonly tokens: number;
  /** How long what ends here is kept; null where the request asks for none. */
  readonly keep: "5m" | "1h" | null;
}

const lives = { "5m": 5 * 60_000, "1h": 3_600_000 };
/** A provider's automatic cache keeps prefixes of at least this many tokens for about this long. */
const automatic = { least: 1024, life: 10 * 60_000 };
/** Parts before a mark at which a stored prefix is still found. */
const lookedBack = 20;

interface Stored {
  until: number;
  readonly life: number;
}

/** A provider's cache of prompts by prefix and lifetime, for one model each. Time is given: wakes are minutes apart, and played in seconds. */
export class PrefixCache {
  readonly #stored = new Map<string, Stored>();

  /** Bills a request as Anthropic does: prefixes are stored and found where the request marks them. @param now milliseconds */
  marked(model: string, parts: readonly RequestPart[], now: number): Omit<TokenUsage, "output"> {
    const ends = prefixes(model, parts);
    const marks = parts.flatMap(({ keep }, index) => (keep === null ? [] : [{ index, keep }]));
    let readTo = -1;
    for (const { index } of marks)
      for (let at = index; at > Math.max(readTo, index - lookedBack); at -= 1)
        if (this.#isAlive(ends[at]?.hash ?? "", now)) readTo = Math.max(readTo, at);
    const read = readTo === -1 ? 0 : (ends[readTo]?.tokens ?? 0);
    // A hit extends the lifetime of the entry.
    for (let at = 0; at <= readTo; at += 1) this.#renew(ends[at]?.hash ?? "", now);
    let [write5m, write1h, from] = [0, 0, read];
    for (const { index, keep } of marks) {
      const to = ends[index]?.tokens ?? 0;
      const added = Math.max(0, to - from);
      if (keep === "1h") write1h += added;
      else write5m += added;
      from = Math.max(from, to);
      this.#store(ends[index]?.hash ?? "", lives[keep], now);
    }
    const whole = ends.at(-1)?.tokens ?? 0;
    return { input: whole - from, cacheCreation5m: write5m, cacheCreation1h: write1h, cacheRead: read };
  }

  /** Bills a request as OpenAI does: every prefix is stored, and writing costs nothing more. */
  unmarked(model: string, parts: readonly RequestPart[], now: number): Omit<TokenUsage, "output"> {
    const ends = prefixes(model, parts);
    let read = 0;
    for (const { hash, tokens } of ends)
      if (tokens >= automatic.least && this.#isAlive(hash, now)) {
        read = tokens;
        this.#renew(hash, now);
      }
    for (const { hash } of ends) this.#store(hash, automatic.life, now);
    const whole = ends.at(-1)?.tokens ?? 0;
    return { input: whole - read, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: read };
  }

  #isAlive(hash: string, now: number): boolean {
    return (this.#stored.get(hash)?.until ?? -Infinity) >= now;
  }

  #renew(hash: string, now: number): void {
    const stored = this.#stored.get(hash);
    if (stored !== undefined && stored.until >= now) stored.until = now + stored.life;
  }

  #store(hash: string, life: number, now: number): void {
    const before = this.#stored.get(hash);
    const longer = before !== undefined && before.until >= now ? Math.max(before.life, life) : life;
    this.#stored.set(hash, { until: now + longer, life: longer });
  }
}

/** The prefixes that end with each part. */
function prefixes(
  model: string,
  parts: readonly RequestPart[],
): { readonly hash: string; readonly tokens: number }[] {
  const hash = createHash("sha256").update(model);
  let tokens = 0;
  return parts.map((part) => {
    tokens += part.tokens;
    hash.update("\u0000").update(part.text);
    return { hash: hash.copy().digest("hex"), tokens };
  });
}
