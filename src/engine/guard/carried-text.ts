import * as z from "zod";
import { tokensOf } from "../rules/rent.ts";

/** More of a text is not counted word by word: the rest of it is as the beginning. Characters. */
const lookedAt = 10_000;

/** About how many tokens a text is, without knowing the model. */
export function textTokens(text: string): number {
  if (text.length <= lookedAt) return tokensOf(text);
  return Math.round((tokensOf(text.slice(0, lookedAt)) * text.length) / lookedAt);
}

const blocks = z.array(z.object({ text: z.string().optional().catch(undefined) }).catch({}));

/** About how many tokens the text of a tool's result is, as the agent tells it: a text, or blocks of which some are text. */
export function resultTokens(result: unknown): number {
  if (typeof result === "string") return textTokens(result);
  const read = blocks.safeParse(result);
  if (!read.success) return 0;
  return read.data.reduce((sum, { text }) => sum + (text === undefined ? 0 : textTokens(text)), 0);
}
