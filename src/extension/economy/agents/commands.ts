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
