/** Rules of guards, and help for editors of guard.yaml. */
export type { GuardRule } from "./calls/rule.ts";
export type { Hit } from "./calls/rule-set.ts";
export { actionOf, ruleActions } from "./calls/rule-action.ts";
export { readExample } from "./calls/example.ts";
export type { CodedRule } from "./calls/rule.ts";
export { codedRules } from "./catalogue/coded.ts";
export { unjudgedEntries } from "./calls/not-judged.ts";
export { learnedRules } from "./catalogue/coded.ts";
export {
  alternativesOf,
  descriptionOf,
  factsOf,
  placeAt,
  shapeOf,
  type RuleFacts,
  type WrittenPlace,
} from "./user-rules/place-at.ts";
export {
  describeKey,
  outlineOf,
  suggestAt,
  type OutlineItem,
  type Suggestion,
} from "./user-rules/suggest.ts";
export { checksOf, loadCatalogue, type Catalogue } from "./user-rules/config-file.ts";
export { emptyConfig, type GuardConfig, type GuardFault } from "./user-rules/config.ts";
export { readConfig } from "./user-rules/read-config.ts";
