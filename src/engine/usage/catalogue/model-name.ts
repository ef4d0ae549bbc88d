/** Longer than any real id, so that a hostile one costs nothing. Characters. */
const maxNameLength = 200;

/**
 * Returns the catalogue's name of a model for the id that an agent, API, gateway or cloud gives it: lower case, no path
 * or region before it, no date, revision, `[1m]` or `:thinking` after it. The rest must match a catalogue name exactly,
 * so a longer unknown name is never mistaken for a shorter known one. Never throws; idempotent.
 */
export function normaliseModelName(id: string): string {
  let name = id.toLowerCase();
  if (name.length > maxNameLength) return name;
  for (;;) {
    const shorter = orderedClaudeName(withoutSuffix(withoutPrefix(name.trim())));
    if (shorter === name) return name;
    name = shorter;
  }
}

/** Whether the id requests the long context window by its suffix: `[1m]`, or `-1m` as some gateways write it. */
export function asksForLongWindow(id: string): boolean {
  return /(?:\[1m\]|-1m)(?::[a-z]+)?$/iu.test(id.slice(-maxNameLength).trim());
}

/** Prefixes of names, in this order. The rest must be a model's name from these providers. */
const prefixes: readonly RegExp[] = [
  // `anthropic:`, `bedrock:us.`
  /^[a-z_-]+:(?=[a-z][a-z.-]*\d|codex-)/u,
  // Bedrock's `us.anthropic.`
  /^(?:[a-z-]+\.)?(?:anthropic|openai)\./u,
  // `databricks-claude-…`, `anthropic--claude-…`
  /^(?:anthropic|aws|azure|bedrock|databricks|vertex)-{1,2}(?=[a-z]+-)/u,
];

/** Drops `anthropic/`, `publishers/…/models/`, an ARN's path, and the prefixes of clouds and gateways. */
function withoutPrefix(name: string): string {
  return prefixes.reduce((rest, prefix) => rest.replace(prefix, ""), name.slice(name.lastIndexOf("/") + 1));
}

const suffixes: readonly RegExp[] = [
  /\[1m\]$/u,
  // How a gateway chooses among providers does not change the list price.
  /:(?:thinking|beta|nitro|floor|exacto)$/u,
  // Bedrock's revision: `-v1`, `-v1:0`, `-v1:0:200k`.
  /-v\d+(?::\d+k?)*$/u,
  // Vertex's date or `default`.
  /@[a-z0-9-]*$/u,
  /-20\d{6}$/u,
  /-20\d\d-\d\d-\d\d$/u,
  /-latest$/u,
];

const claudeSuffixes: readonly RegExp[] = [/-1m$/u, /-(?:thinking|thought)$/u];
/** Vertex's revision of Google's models, and the variant for an agent that brings its own tools. */
const otherSuffixes: readonly RegExp[] = [/-00\d$/u, /-customtools$/u];

function withoutSuffix(name: string): string {
  const own = name.startsWith("claude-") ? claudeSuffixes : otherSuffixes;
  return [...suffixes, ...own].reduce((rest, suffix) => rest.replace(suffix, ""), name);
}

/**
 * Reorders a Claude name: since version 4 it is `claude-<family>-<version>` with dashes; gateways also use
 * `claude-4.5-sonnet`, Copilot `claude-opus-41`, and lists for people `Claude Opus 4.1`.
 */
function orderedClaudeName(name: string): string {
  if (!/^claude[- ]/u.test(name)) return name;
  return name
    .trim()
    .replace(/ +/gu, "-")
    .replace(/(\d)\.(\d)/gu, "$1-$2")
    .replace(/^claude-([4-9](?:-\d{1,2})?)-([a-z]+)$/u, "claude-$2-$1")
    .replace(/^claude-opus-41$/u, "claude-opus-4-1")
    .replace(/^(claude-[a-z]+-\d+)-0$/u, "$1");
}

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
