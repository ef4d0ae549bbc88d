/** The seventh migration: a budget's usage is added up from responses, so its table was never written. */
export const withoutBudgetUsage = "DROP TABLE budget_usage;";
