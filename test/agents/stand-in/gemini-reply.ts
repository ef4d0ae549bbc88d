/** Usage of one reply as the Gemini API reports it: `prompt` includes `cached`; `thoughts` are apart from `output`. */
export interface GeminiTokens {
  readonly prompt: number;
  readonly cached: number;
  readonly output: number;
  readonly thoughts: number;
}

/** The stand-in's answer to one request. */
export type GeminiReply =
  | { readonly kind: "text"; readonly text: string; readonly tokens: GeminiTokens }
  /** Makes the real CLI run the tool. */
  | {
      readonly kind: "call";
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly tokens: GeminiTokens;
    }
  | { readonly kind: "failure"; readonly message: string };

export function geminiTokens(prompt: number, cached: number, output: number, thoughts = 0): GeminiTokens {
  return { prompt, cached, output, thoughts };
}

export function says(text: string, tokens: GeminiTokens): GeminiReply {
  return { kind: "text", text, tokens };
}

export function calls(
  name: string,
  input: Readonly<Record<string, unknown>>,
  tokens: GeminiTokens,
): GeminiReply {
  return { kind: "call", name, input, tokens };
}
