import {
  type ModelFacts,
  asksForLongWindow,
  normaliseModelName,
  lookupModel,
  type Catalogue,
} from "../usage/catalogue.ts";
import { unknownFigure, type Figure } from "../usage/token-counts.ts";
import type { AgentSettings } from "../transcripts/live-reader.ts";
import { sentence, type Sentence } from "../base/language.ts";

const longBeta = "context-1m";
const longDefault = 1_000_000;
const shortDefault = 200_000;
const noWindow = sentence("the agent has windows of its own, and has named none yet");

export interface AgentFigure {
  readonly tokens: number;
  readonly source: Sentence;
}

/** Evidence of the window in use, from the transcript itself. */
export interface WindowEvidence {
  /** The model of the last main-chain response, as the API names it. */
  readonly model: string;
  /** Models the agent asked for by its own names, latest last: from rows, attachments and its running total. */
  readonly requested: readonly string[];
  /** Beta flags of the last request for this model. */
  readonly betas: readonly string[];
  /** Largest occupancy of a response of this model. Tokens. */
  readonly largest: number;
  readonly reported?: AgentFigure;
}

export interface WindowContext {
  readonly config: AgentSettings;
  readonly catalogue: Catalogue;
}

/** Returns the window of a conversation; unknown before its first response. */
export function windowOf(chain: { evidence(): WindowEvidence | null }, context: WindowContext): Figure {
  const evidence = chain.evidence();
  return evidence === null
    ? unknownFigure(sentence("no response yet"))
    : contextWindow({ ...evidence, ...context });
}

/**
 * Returns the context window in tokens, from the most trusted source first: the window reported by the agent itself
 * (unless a response outgrew the model's, or the user set it), the transcript's evidence, the user's and the agent's
 * own settings, the catalogue. An unknown model has the window that the agent assumes, if any.
 */
export function contextWindow(input: WindowEvidence & WindowContext): Figure {
  const { model, largest, config, catalogue } = input;
  const facts = lookupModel(catalogue, model);
  const { reported } = input;
  const isSetByUser = (facts?.userWindows?.length ?? 0) > 0;
  // Ignores a reported window that a response outgrew: agents have measured against a wrong window before. A window
  // defined by the agent itself may be outgrown, because it leaves room within the model's.
  const isPlausible = reported !== undefined && (reported.tokens >= largest || !config.usesCatalogueWindows);
  if (isPlausible && !isSetByUser)
    return { value: reported.tokens, provenance: "official", source: reported.source };
  if (!config.usesCatalogueWindows && !isSetByUser) return unknownFigure(noWindow);
  const proof = longWindowProof(input);
  if (proof !== undefined) return provenLongWindow(facts, proof);
  const usual = facts?.agentWindow ?? null;
  if (facts === undefined || usual === null) return windowOfUnknown(model, largest, config);
  const outgrown = largest > usual ? nextLarger(facts, largest) : undefined;
  if (outgrown !== undefined) {
    const source = sentence("a response was larger than the usual window");
    return { value: outgrown, provenance: "measured", source };
  }
  if (facts.userWindows?.includes("agentWindow") === true)
    return { value: usual, provenance: "official", source: sentence("your setting") };
  if (facts.longWindow !== null && isSetLong(input)) {
    const source = sentence("the agent's settings ask for {0}", config.model ?? "");
    return { value: facts.longWindow, provenance: "official", source };
  }
  return config.longContextOff && usual > shortDefault && largest <= shortDefault
    ? {
        value: shortDefault,
        provenance: "official",
        source: sentence("the agent's settings turn the 1M window off"),
      }
    : { value: usual, provenance: "estimated", source: sentence("the model catalogue") };
}

function provenLongWindow(facts: ModelFacts | undefined, proof: Sentence): Figure {
  const source =
    facts?.userWindows?.includes("longWindow") === true
      ? sentence("your setting; {proof}", { proof: proof })
      : proof;
  return { value: facts?.longWindow ?? longDefault, provenance: "official", source };
}

/** The agent assumes a window for a model it does not know, and compacts by it; a larger response disproves it. */
function windowOfUnknown(
  model: string,
  largest: number,
  { maxContextTokens, assumedWindow }: AgentSettings,
): Figure {
  if (maxContextTokens !== null)
    return { value: maxContextTokens, provenance: "official", source: sentence("the agent's settings") };
  if (assumedWindow === null || largest > assumedWindow)
    return unknownFigure(
      sentence('the catalogue does not know "{0}"; set its window in purser.models', model),
    );
  const source = sentence(
    'the agent assumes this window, as it does not know "{0}"; set the right one in purser.models and in CLAUDE_CODE_MAX_CONTEXT_TOKENS',
    model,
  );
  return { value: assumedWindow, provenance: "estimated", source, isAssumed: true };
}

/**
 * Returns the model's smallest window that holds this many tokens. None means that usage was summed over several
 * requests.
 */
function nextLarger({ longWindow, window }: ModelFacts, tokens: number): number | undefined {
  const windows = [longWindow ?? 0, window ?? 0].filter((each) => each >= tokens);
  return windows.length === 0 ? undefined : Math.min(...windows);
}

/** True when the agent's settings ask for this model's 1M window and no row shows a request without it. */
function isSetLong({ model, requested, config }: WindowEvidence & WindowContext): boolean {
  if (config.model === null || config.longContextOff || !asksForLongWindow(config.model)) return false;
  const name = normaliseModelName(model);
  const set = normaliseModelName(config.model);
  // Settings often name a family: `sonnet[1m]`.
  const isThis = set === name || name.split("-").includes(set);
  return isThis && !requested.some((each) => normaliseModelName(each) === name);
}

/** Compares names as the catalogue does: the API omits the suffix and often adds a date. */
function longWindowProof({ model, requested, betas }: WindowEvidence): Sentence | undefined {
  const name = normaliseModelName(model);
  // Gateways answer with the requested name.
  if (asksForLongWindow(model)) return sentence("the transcript: the agent asked for {0}", model);
  const asked = requested.findLast((each) => normaliseModelName(each) === name);
  if (asked === undefined)
    return betas.some((beta) => beta.startsWith(longBeta))
      ? sentence("the transcript: requests carry the 1M beta")
      : undefined;
  return asksForLongWindow(asked) ? sentence("the transcript: the agent asked for {0}", asked) : undefined;
}
