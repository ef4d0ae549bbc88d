/** What is done when a limit is passed: nothing, the agent and the user are told, or the call is stopped. The user's choice. */
export const budgetModes = ["off", "warn", "hard"] as const;
export type BudgetMode = (typeof budgetModes)[number];
