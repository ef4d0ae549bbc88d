/** Commands whose code is loaded when one of them is first used. */
export const lateCommands = [
  "purser.installHooks",
  "purser.uninstallHooks",
  "purser.showHooks",
  "purser.applyHookChange",
  "purser.dropHookChange",
  "purser.createBudget",
  "purser.raiseLimit",
  "purser.deleteBudget",
  "purser.openBudgetFile",
  "purser.acceptBudget",
  "purser.muteBudget",
  "purser.unmuteBudget",
] as const;
export type LateCommand = (typeof lateCommands)[number];
