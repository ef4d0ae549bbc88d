/**
 * Rows of a Claude Code transcript for tests: plain objects with only the keys that a figure depends on. Times are
 * minutes from one fixed morning.
 */
export type Row = Readonly<Record<string, unknown>>;

export const sessionId = "5e55104a-0000-4000-8000-000000000001";
export const cwd = "/home/dev/harbor";
export const sonnet = "claude-sonnet-4-6";

/** Milliseconds since the epoch. */
export function at(minute: number): number {
  return Date.UTC(2026, 10, 10, 9) + minute * 60_000;
}

export interface Response {
  readonly id: string;
  readonly minute?: number;
  readonly model?: string;
  /** The model as the agent requested it. */
  readonly requested?: string;
  readonly requestId?: string | null;
  readonly input?: number;
  readonly output?: number;
  readonly write5m?: number;
  readonly write1h?: number;
  readonly read?: number;
  readonly sidechain?: boolean;
  readonly stop?: string;
  /** The session a fork copied the row from. */
  readonly copiedFrom?: string;
}

export function response(reported: Response): Row {
  const { id, model = sonnet, input = 0, output = 0, write5m = 0, write1h = 0, read = 0 } = reported;
  const { requestId = `req_${id}`, requested, copiedFrom, sidechain = false } = reported;
  return {
    ...common("assistant", reported.minute),
    isSidechain: sidechain,
    ...(requestId === null ? {} : { requestId }),
    ...(requested === undefined ? {} : { requestedModel: requested }),
    ...(copiedFrom === undefined ? {} : { requestSessionId: copiedFrom }),
    message: {
      id,
      model,
      role: "assistant",
      ...(reported.stop === undefined ? {} : { stop_reason: reported.stop }),
      usage: {
        input_tokens: input,
        output_tokens: output,
        cache_creation_input_tokens: write5m + write1h,
        cache_read_input_tokens: read,
        cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
      },
    },
  };
}

export function prompt(minute = 0): Row {
  return { ...common("user", minute), message: { role: "user", content: "Mend the pier" } };
}

/** The row an agent writes for an API error: like a response's, without usage. */
export function syntheticError(minute = 0): Row {
  return {
    ...common("assistant", minute),
    isApiErrorMessage: true,
    message: { id: "8f1c", model: "<synthetic>", usage: { input_tokens: 0, output_tokens: 0 } },
  };
}

export interface Boundary {
  readonly minute?: number;
  readonly trigger?: string;
  readonly pre?: number;
  readonly post?: number;
}

export function compaction({ minute = 0, trigger = "auto", pre, post }: Boundary = {}): Row {
  return {
    ...common("system", minute),
    subtype: "compact_boundary",
    compactMetadata: { trigger, preTokens: pre, postTokens: post },
  };
}

export function request(model: string, betas: readonly string[]): Row {
  return { type: "api-request", sessionId, params: { model, betas } };
}

/** The agent's running total, which has no time. All tokens are of the `input` kind. */
export function officialTotal(usd: number, inputs: Readonly<Record<string, number>> = {}): Row {
  const modelUsage = Object.fromEntries(
    Object.entries(inputs).map(([model, inputTokens]) => [
      model,
      { inputTokens, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, costUSD: usd },
    ]),
  );
  return { type: "cost-state", sessionId, totalCostUSD: usd, modelUsage };
}

/** Rows as lines of a file, each with its newline. */
export function lines(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

function common(type: string, minute = 0): Row {
  return { type, sessionId, cwd, gitBranch: "main", timestamp: new Date(at(minute)).toISOString() };
}
