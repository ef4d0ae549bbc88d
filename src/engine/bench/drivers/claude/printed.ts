import * as z from "zod/mini";

const count = z._default(z.number().check(z.nonnegative()), 0);

/** The JSON that Claude Code prints at the end of a headless session with `--output-format json`. */
const printedResult = z.looseObject({
  type: z.optional(z.literal("result")),
  subtype: z.optional(z.string()),
  is_error: z.boolean(),
  result: z.optional(z.string()),
  errors: z.optional(z.array(z.string())),
  api_error_status: z.optional(z.nullable(z.number())),
  usage: z.catch(
    z.optional(
      z.looseObject({
        input_tokens: count,
        output_tokens: count,
        cache_creation_input_tokens: count,
        cache_read_input_tokens: count,
      }),
    ),
    undefined,
  ),
});
export type PrintedResult = z.infer<typeof printedResult>;

/** Returns the result in the output; undefined if there is none. */
export function printedIn(output: string): PrintedResult | undefined {
  return printedResult.safeParse(lastJson(output)).data;
}

/** Returns the message of a printed result, in at most 500 characters, the API's error status first. */
export function messageOf({ api_error_status: status = null, ...printed }: PrintedResult): string {
  const text = [printed.result ?? "", ...(printed.errors ?? []), printed.subtype ?? ""].join(" ").trim();
  return `${status === null ? "" : `${status} `}${text}`.slice(0, 500);
}

/**
 * Returns the last line of the output that is JSON, or else everything from the first `{` line;
 * undefined if neither is JSON.
 */
export function lastJson(output: string): unknown {
  const lines = output.trim().split("\n");
  const whole = lines.findIndex((line) => line.startsWith("{"));
  const candidates = [...lines.toReversed(), lines.slice(Math.max(0, whole)).join("\n")];
  for (const text of candidates) {
    if (!text.startsWith("{") || !text.endsWith("}")) continue;
    try {
      return JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}
