import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";

/** One block of a scripted reply. A `tool_use` makes the real CLI run that tool and send its result. */
export type ReplyBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** The stand-in's answer to one request. */
export type Reply =
  | { readonly kind: "message"; readonly blocks: readonly ReplyBlock[]; readonly usage: TokenUsage }
  | { readonly kind: "error"; readonly status: number; readonly errorType: string; readonly message: string };

/** A reply with only text, which ends the turn. */
export function says(text: string, usage: TokenUsage): Reply {
  return { kind: "message", blocks: [{ type: "text", text }], usage };
}

/** A reply with a few words and one tool call. */
export function calls(name: string, input: Readonly<Record<string, unknown>>, usage: TokenUsage): Reply {
  return {
    kind: "message",
    blocks: [
      { type: "text", text: `Now ${name}.` },
      { type: "tool_use", name, input },
    ],
    usage,
  };
}

export function refuses(status: number, errorType: string, message: string): Reply {
  return { kind: "error", status, errorType, message };
}

/** Usage of one reply, in tokens, with the figures in the order input, cache creation (5m), cache read, output. */
export function usageOf(
  input: number,
  cacheCreation5m: number,
  cacheRead: number,
  output: number,
  cacheCreation1h = 0,
): TokenUsage {
  return { input, cacheCreation5m, cacheCreation1h, cacheRead, output };
}
