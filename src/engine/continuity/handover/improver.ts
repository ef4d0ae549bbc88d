import type { ProgramPlaces } from "../../base/process.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { AskAgent } from "../../rules/distil.ts";
import { withOverrides, builtInCatalogue } from "../../usage/catalogue.ts";
import { priceUsage } from "../../usage/price.ts";
import { cacheCreation, noUsage, type TokenUsage } from "../../usage/token-counts.ts";
import { sentence } from "../../base/language.ts";
import {
  type ImprovementTokens,
  improvementQuestion,
  improvementTokens,
  type Improvement,
  improvementOf,
} from "./improvement.ts";
import { findAgentProgram } from "./agent-program.ts";

export interface ImproverInput {
  readonly document: string;
  readonly model: string;
  /** The user's own model prices, unchecked. */
  readonly models: unknown;
}

export interface ImprovementPlan extends ImprovementTokens {
  readonly model: string;
  /** Everything that is sent, except the role. */
  readonly prompt: string;
  /** USD at list prices; null where unknown. */
  readonly usd: number | null;
}

export interface AskedImprovement extends Improvement {
  readonly model: string;
  /** Processing tokens as the agent reported them, and their list price in USD. Null if unknown. */
  readonly tokens: number;
  readonly usd: number | null;
}

export function planImprovement({ document, model, models }: ImproverInput): ImprovementPlan {
  const question = improvementQuestion(document, model);
  const tokens = improvementTokens(question);
  const usage = { ...noUsage, cacheCreation5m: tokens.input, output: tokens.output };
  return { model, prompt: question.prompt, ...tokens, usd: priceOf(model, usage, models) };
}

/** Asks once. Drops an answer without words, and does not retry. */
export async function askForImprovement(
  { document, model, models }: ImproverInput,
  ask: AskAgent,
  signal: AbortSignal,
): Promise<Result<AskedImprovement>> {
  const answer = await ask(improvementQuestion(document, model), signal);
  if (!answer.ok) return answer;
  const { text, usage } = answer.value;
  const tokens = usage.input + usage.output + cacheCreation(usage);
  const made = improvementOf(text, { document, model, tokens });
  return made === null
    ? fail(
        "no_answer",
        sentence("{0} answered without a word, for {1} tokens; it is not asked again", model, tokens),
      )
    : succeed({ ...made, model, tokens, usd: priceOf(model, usage, models) });
}

/**
 * Finds the program to ask. It must be the client's: the service may run with another search path or login.
 */
export async function findOwnClaude(places: ProgramPlaces): Promise<Result<string, "no_program">> {
  const { name, file } = await findAgentProgram("claude", places);
  return file === null
    ? fail("no_program", sentence("Claude Code was not found (no {0} in the PATH)", name))
    : succeed(file);
}

function priceOf(model: string, usage: TokenUsage, models: unknown): number | null {
  const { catalogue } = withOverrides(builtInCatalogue, models);
  return priceUsage({ model, usage, at: null }, catalogue).usd;
}
