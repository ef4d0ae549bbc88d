/** Proposals for rules, from sessions and files. */
export {
  distilModel,
  distilRole,
  readDistilAnswer,
  sourceOfAnswer,
  type AskAgent,
} from "./distil/ask-model.ts";
export { isAgentName } from "./distil/propose.ts";
export { readSentence, savesByCheckingLess } from "./distil/read-sentence.ts";
export { digestIdOf, importLines, readDigest } from "./distil/import-lines.ts";
