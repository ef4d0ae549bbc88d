/**
 * What happens beyond a limit: nothing, a warning to the agent and the user, or a denied call. The user
 * chooses.
 */
export const budgetModes = ["off", "warn", "hard"] as const;
export type BudgetMode = (typeof budgetModes)[number];
