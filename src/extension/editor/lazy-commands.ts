/** Commands with code that is loaded on first use of any of them. */
export const lazyCommands = [
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
export type LazyCommand = (typeof lazyCommands)[number];
