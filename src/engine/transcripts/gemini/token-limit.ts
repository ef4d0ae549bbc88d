import { english } from "../../base/text/english.ts";
/** Window that Gemini CLI measures a model against, as its footer does. Tokens. Source: `tokenLimits.ts` of 0.61.0. */
export function tokenLimit(model: string): number {
  return model.startsWith("gemma-4-") ? 256_000 : 1_048_576;
}

export const limitSource = english("Gemini CLI's own limit for the model");
