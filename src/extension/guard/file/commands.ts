/** Commands about files of guard rules. Their code is loaded on first use. */
export const guardFileCommands = ["purser.openGuardRules", "purser.testGuardRule"] as const;
export type GuardFileCommand = (typeof guardFileCommands)[number];
