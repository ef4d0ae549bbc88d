export {
  distilModel,
  distilRole,
  readDistilAnswer,
  sourceOfAnswer,
  type AskAgent,
} from "./distil/ask-model.ts";
export { isAgentName, readSentence, savesByCheckingLess } from "./distil/propose.ts";
export { digestIdOf, importLines, readDigest } from "./distil/import-lines.ts";
