import type { Translate } from "../editor/describe.ts";

type Sentence = (t: Translate) => string;

/** The service's English words for a figure's origin. */
const sentences: Readonly<Record<string, Sentence>> = {
  "a response was larger than the usual window": (t) => t("a response was larger than the usual window"),
  "automatic compaction is off in the agent's settings": (t) =>
    t("automatic compaction is off in the agent's settings"),
  "cache expired, whole context rewritten": (t) => t("cache expired, whole context rewritten"),
  "calls no transcript row tells of": (t) => t("calls no transcript row tells of"),
  "Codex's own estimate": (t) => t("Codex's own estimate"),
  "Codex's own formula, on the numbers of its rollout": (t) =>
    t("Codex's own formula, on the numbers of its rollout"),
  "compacted context written": (t) => t("compacted context written"),
  "context read from the cache": (t) => t("context read from the cache"),
  "context sent uncached": (t) => t("context sent uncached"),
  "Copilot CLI tells it only to its own screen": (t) => t("Copilot CLI tells it only to its own screen"),
  "Copilot's list of models": (t) => t("Copilot's list of models"),
  "Copilot's log does not tell": (t) => t("Copilot's log does not tell"),
  "Gemini CLI's files do not tell": (t) => t("Gemini CLI's files do not tell"),
  "Gemini CLI's own limit for the model": (t) => t("Gemini CLI's own limit for the model"),
  "context_token_limit in the session's events": (t) => t("context_token_limit in the session's events"),
  "how long this agent's provider caches a context is unknown": (t) =>
    t("how long this agent's provider caches a context is unknown"),
  "just compacted; the next response will tell": (t) => t("just compacted; the next response will tell"),
  "list price of each response": (t) => t("list price of each response"),
  "maxPromptTokens in the session's events": (t) => t("maxPromptTokens in the session's events"),
  "model_context_window in the rollout": (t) => t("model_context_window in the rollout"),
  "neither a compaction of yours nor a rule of this agent is known": (t) =>
    t("neither a compaction of yours nor a rule of this agent is known"),
  "neither a compaction of yours nor the window is known": (t) =>
    t("neither a compaction of yours nor the window is known"),
  "no response yet": (t) => t("no response yet"),
  "the agent has windows of its own, and has named none yet": (t) =>
    t("the agent has windows of its own, and has named none yet"),
  "the agent's hook after its last response": (t) => t("the agent's hook after its last response"),
  "the agent's own estimate, after its last tool": (t) => t("the agent's own estimate, after its last tool"),
  "the agent's own running total": (t) => t("the agent's own running total"),
  "the agent's settings": (t) => t("the agent's settings"),
  "the agent's settings turn the 1M window off": (t) => t("the agent's settings turn the 1M window off"),
  "the agent's status line": (t) => t("the agent's status line"),
  "the agent's usual rule": (t) => t("the agent's usual rule"),
  "the context is not growing": (t) => t("the context is not growing"),
  "the file tells the window of the model that is chosen now": (t) =>
    t("the file tells the window of the model that is chosen now"),
  "the last response before what was taken back": (t) => t("the last response before what was taken back"),
  "the model catalogue": (t) => t("the model catalogue"),
  "the rollout does not tell yet": (t) => t("the rollout does not tell yet"),
  "the session's events do not tell": (t) => t("the session's events do not tell"),
  "the transcript: requests carry the 1M beta": (t) => t("the transcript: requests carry the 1M beta"),
  "token usage of every response": (t) => t("token usage of every response"),
  "token usage of the newest request that was not taken back": (t) =>
    t("token usage of the newest request that was not taken back"),
  "token usage of the last response": (t) => t("token usage of the last response"),
  "VS Code's list of models: the room for a prompt": (t) =>
    t("VS Code's list of models: the room for a prompt"),
  "what Codex itself measures against": (t) => t("what Codex itself measures against"),
  "what the agent said the compaction left": (t) => t("what the agent said the compaction left"),
  "what VS Code's chat stores of the model": (t) => t("what VS Code's chat stores of the model"),
  "your setting": (t) => t("your setting"),
};

/** Those with a value in them. */
const patterns: readonly (readonly [RegExp, (t: Translate, value: string) => string])[] = [
  [
    /^fewer than (\d+) turns since the context began$/u,
    (t, count) => t("fewer than {0} turns since the context began", count),
  ],
  [/^the last (\d+) turns$/u, (t, count) => t("the last {0} turns", count)],
  [/^learned from (\d+) of yours$/u, (t, count) => t("learned from {0} of yours", count)],
  [/^no price is known for (.+)$/su, (t, model) => t("no price is known for {0}", model)],
  [/^your setting; (.+)$/su, (t, proof) => t("your setting; {0}", figureSource(proof, t))],
  [
    /^the transcript: the agent asked for (.+)$/su,
    (t, model) => t("the transcript: the agent asked for {0}", model),
  ],
  [/^the agent's settings ask for (.*)$/su, (t, model) => t("the agent's settings ask for {0}", model)],
  [
    /^the catalogue does not know "(.*)"; set its window in purser\.models$/su,
    (t, model) => t('the catalogue does not know "{0}"; set its window in purser.models', model),
  ],
];

/** Words the origin of a figure in the user's language. What a service of another version says stays as it is. */
export function figureSource(source: string, t: Translate): string {
  const known = Object.hasOwn(sentences, source) ? sentences[source] : undefined;
  if (known !== undefined) return known(t);
  for (const [pattern, sentence] of patterns) {
    const value = pattern.exec(source)?.[1];
    if (value !== undefined) return sentence(t, value);
  }
  return source;
}
