import { lookupModel, type Catalogue } from "../usage/catalogue.ts";
import { unknownFigure, type Figure } from "../usage/provenance.ts";
import type { AgentConfig } from "./agent-config.ts";

const longSuffix = "[1m]";
const longBeta = "context-1m";
const longDefault = 1_000_000;

/** What a transcript itself tells of the window in use. */
export interface WindowEvidence {
  /** The model of the last main-chain response, as the API names it. */
  readonly model: string;
  /** The models the agent asked for by its own names, latest last: from rows, attachments and its running total. */
  readonly requested: readonly string[];
  /** The beta flags of the last request for this model. */
  readonly betas: readonly string[];
  /** The largest occupancy a response of this model had. Tokens. */
  readonly largest: number;
}

/** What is known of windows besides the transcript. */
export interface WindowContext {
  readonly config: AgentConfig;
  readonly catalogue: Catalogue;
}

/** The window a conversation is in. One without a response yet is in none we could know. */
export function windowOf(chain: { evidence(): WindowEvidence | null }, context: WindowContext): Figure {
  const evidence = chain.evidence();
  return evidence === null ? unknownFigure("no response yet") : contextWindow({ ...evidence, ...context });
}

/**
 * The context window in tokens, from what is most to be trusted: what the transcript proves, then what the user and the
 * agent's own settings say, then the catalogue. A model nobody knows has no window rather than a guessed one.
 */
export function contextWindow(input: WindowEvidence & WindowContext): Figure {
  const { model, config, catalogue } = input;
  const facts = lookupModel(catalogue, model);
  const long = facts?.longWindow ?? longDefault;
  const proof = longWindowProof(input);
  if (proof !== undefined) return { value: long, provenance: "official", source: proof };
  const usual = facts?.agentWindow ?? null;
  if (usual !== null && input.largest > usual) {
    const value = Math.max(long, facts?.window ?? 0);
    return { value, provenance: "measured", source: "a response was larger than the usual window" };
  }
  if (usual !== null) {
    return config.longContextOff && usual > 200_000
      ? { value: 200_000, provenance: "official", source: "the agent's settings turn the 1M window off" }
      : { value: usual, provenance: "estimated", source: "the model catalogue" };
  }
  if (config.maxContextTokens !== null)
    return { value: config.maxContextTokens, provenance: "official", source: "the agent's settings" };
  return unknownFigure(`the catalogue has no model "${model}"; set purser.models to tell its window`);
}

function longWindowProof({ model, requested, betas }: WindowEvidence): string | undefined {
  const asked = requested.findLast((name) => baseName(name) === baseName(model));
  if (asked?.endsWith(longSuffix) === true) return `the transcript: the agent asked for ${asked}`;
  const isLong = asked === undefined && betas.some((beta) => beta.startsWith(longBeta));
  return isLong ? "the transcript: requests carry the 1M beta" : undefined;
}

function baseName(model: string): string {
  return model.endsWith(longSuffix) ? model.slice(0, -longSuffix.length) : model;
}
