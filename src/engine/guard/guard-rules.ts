/** Rules of guards. */
export type { GuardRule } from "./calls/rule.ts";
export type { Hit } from "./calls/rule-set.ts";
export { actionOf, ruleActions } from "./calls/rule-action.ts";
export { readExample } from "./calls/example.ts";
export type { CodedRule } from "./calls/rule.ts";
export { codedRules } from "./catalogue/coded.ts";
export { unjudgedEntries } from "./calls/not-judged.ts";
export { learnedRules } from "./catalogue/coded.ts";
