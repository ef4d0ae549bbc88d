/** Commands with code that is loaded on first use of any of them. */
export const lazyCommands = [
  "purser.installHooks",
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

/** Commands about recurring agents. Their code is loaded on first use. */
export const recurringCommands = [
  "purser.wakeAgent",
  "purser.wakeAgentFresh",
  "purser.cancelWake",
  "purser.openWakesSetting",
  "purser.openAgentSession",
  "purser.openAgentFile",
  "purser.newAgent",
  "purser.agreeToAgent",
] as const;
export type RecurringCommand = (typeof recurringCommands)[number];

/** Commands about files of guard rules. Their code is loaded on first use. */
export const guardFileCommands = ["purser.openGuardRules", "purser.testGuardRule"] as const;
export type GuardFileCommand = (typeof guardFileCommands)[number];

export const rentCommands = ["purser.measureHere", "purser.measureSkill", "purser.measureServer"] as const;
export type RentCommand = (typeof rentCommands)[number];

/** The sample's commands. Its panels lead to each other. */
export const sampleCommands = [
  "purser.openSample",
  "purser.closeSample",
  "purser.playSample",
  "purser.stopSample",
] as const;
export type SampleCommand = (typeof sampleCommands)[number];

/** Begins the names of all samples' folders. */
export const samplePrefix = "purser-sample-";
