import type { RateLimit } from "../agent-session.ts";
import type { Limit, RateLimits } from "./codex-row-schema.ts";

/** The plan limits as last reported. A response without them changes nothing. */
export class LatestRateLimits {
  readonly #limits = new Map<string, RateLimit>();

  update(limits: RateLimits, at: number | null): void {
    this.#note(`${limits?.limit_id ?? "codex"} primary`, limits?.primary, at);
    this.#note(`${limits?.limit_id ?? "codex"} secondary`, limits?.secondary, at);
  }

  all(): RateLimit[] {
    return [...this.#limits.values()];
  }

  #note(name: string, limit: Limit, at: number | null): void {
    if (limit === null || limit === undefined) return;
    const {
      used_percent: usedPercent,
      window_minutes: minutes,
      resets_at: reset,
      resets_in_seconds: left,
    } = limit;
    const fromNow = typeof left === "number" && at !== null ? at + left * 1000 : null;
    this.#limits.set(name, {
      name,
      usedPercent,
      windowMinutes: minutes ?? null,
      resetsAt: typeof reset === "number" ? reset * 1000 : fromNow,
      at,
      provenance: "official",
    });
  }
}
