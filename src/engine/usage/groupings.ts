/** What sums can be by wherever responses come from. */
export const groupings = ["day", "session", "project", "model"] as const;
export type Grouping = (typeof groupings)[number];
