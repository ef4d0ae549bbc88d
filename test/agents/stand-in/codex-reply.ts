/** Usage of one reply as the Responses API reports it: `input` includes tokens read from and written to the cache. */
export interface CodexTokens {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

export type CodexItem =
  | { readonly type: "message"; readonly text: string }
  /** Makes the real CLI run the tool. `$AGENT` in the arguments becomes the id of the subagent it started. */
  | {
      readonly type: "call";
      readonly name: string;
      readonly namespace?: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

/** The stand-in's answer to one request. */
export type CodexReply =
  | {
      readonly kind: "response";
      readonly item: CodexItem;
      readonly tokens: CodexTokens;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "failure"; readonly code: string; readonly message: string };

export function codexTokens(
  input: number,
  cached: number,
  output: number,
  { cacheWrite = 0, reasoning = 0 } = {},
): CodexTokens {
  return { input, cached, cacheWrite, output, reasoning };
}

export function answers(text: string, tokens: CodexTokens, headers?: Record<string, string>): CodexReply {
  const item: CodexItem = { type: "message", text };
  return { kind: "response", item, tokens, ...(headers === undefined ? {} : { headers }) };
}

export function callsTool(
  name: string,
  input: Readonly<Record<string, unknown>>,
  tokens: CodexTokens,
  namespace?: string,
): CodexReply {
  const item: CodexItem = { type: "call", name, input, ...(namespace === undefined ? {} : { namespace }) };
  return { kind: "response", item, tokens };
}
