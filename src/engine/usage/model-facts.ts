export type Provider = "anthropic" | "openai" | "google" | "other";

/** USD per million tokens of each kind, or null if unknown. */
export interface Rates {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheWrite5m: number | null;
  readonly cacheWrite1h: number | null;
  readonly cacheRead: number | null;
}

/** The rates of a whole response, output included, whose prompt is larger than `abovePromptTokens`. */
export interface PriceTier extends Rates {
  readonly abovePromptTokens: number;
}

/** The rates in force from a day on, until the next price's. */
export interface Price extends Rates {
  /** ISO date, midnight UTC; null from the beginning. */
  readonly from: string | null;
  /** By `abovePromptTokens`, ascending. */
  readonly tiers?: readonly PriceTier[];
}

/** Facts about a model. Windows and limits in tokens; null is unknown, never a default. */
export interface ModelFacts {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly provider: Provider;
  /** The largest window the API gives this model. */
  readonly window: number | null;
  /** The window its own agent uses when the id has no `[1m]` suffix (Claude Code for Claude models). */
  readonly agentWindow: number | null;
  /** The window with the `[1m]` suffix, or null if the model has no million-token window. */
  readonly longWindow: number | null;
  readonly maxOutput: number | null;
  /** The price of fast mode; null where there is none, or its price is unknown. */
  readonly fast: FastPrice | null;
  /** By `from`, ascending; empty when no price is known. */
  readonly prices: readonly Price[];
  /** The windows set by the user; absent if all are the catalogue's. */
  readonly userWindows?: readonly UserWindow[];
}

/**
 * The price factor of fast mode, and its price for large prompts: the price of small ones (`same`), the factor times
 * their own (`times`), or just their own (`standard`), as they are served at the standard speed.
 */
export interface FastPrice {
  readonly factor: number;
  readonly large: "same" | "times" | "standard";
}

export type UserWindow = "agentWindow" | "longWindow";
