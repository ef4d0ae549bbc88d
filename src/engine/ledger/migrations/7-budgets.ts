/** The seventh migration: what of a budget is used is added up from responses, so no table of it was ever written. */
export const withoutBudgetUsage = "DROP TABLE budget_usage;";
