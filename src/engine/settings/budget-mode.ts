/**
 * What happens when a limit is passed: nothing, a warning to the agent and the user, or the call is denied. The user chooses.
 */
export const budgetModes = ["off", "warn", "hard"] as const;
export type BudgetMode = (typeof budgetModes)[number];
