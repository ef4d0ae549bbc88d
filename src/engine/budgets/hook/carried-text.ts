import * as z from "zod/mini";
import { estimateTokenCount } from "tokenx";

/**
 * Size of samples from the beginning, middle and end that stand for a longer text: counting it word by word
 * takes a millisecond for 5,000 characters while an agent waits. Characters.
 */
const [pieces, piece] = [3, 160];

/** Estimates a text's tokens, without knowing the model. */
export function textTokens(text: string): number {
  if (text.length <= pieces * piece) return estimateTokenCount(text);
  const middle = Math.floor((text.length - piece) / 2);
  const samples = [text.slice(0, piece), text.slice(middle, middle + piece), text.slice(-piece)];
  const tokens = samples.reduce((sum, each) => sum + estimateTokenCount(each), 0);
  return Math.round((tokens * text.length) / (pieces * piece));
}

const blocks = z.array(z.catch(z.object({ text: z.catch(z.optional(z.string()), undefined) }), {}));

/** Estimates the text tokens of a tool result: a text, or blocks of which some are text. */
export function resultTokens(result: unknown): number {
  if (typeof result === "string") return textTokens(result);
  const read = blocks.safeParse(result);
  if (!read.success) return 0;
  return read.data.reduce((sum, { text }) => sum + (text === undefined ? 0 : textTokens(text)), 0);
}

const text = z.catch(z.optional(z.string()), undefined);
const scriptOutput = z.object({ result: text, stdout: text, stderr: text });

/** Estimates the tokens of what a script hands to the model. */
export function scriptTokens(response: unknown): number {
  const read = scriptOutput.safeParse(response);
  if (!read.success) return resultTokens(response);
  return Object.values(read.data).reduce((sum, part = "") => sum + textTokens(part), 0);
}
