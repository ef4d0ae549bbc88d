export const rulesCommands = [
  "purser.reviewRules",
  "purser.selectRules",
  "purser.addRule",
  "purser.installAgents",
] as const;
export type RulesCommand = (typeof rulesCommands)[number];
