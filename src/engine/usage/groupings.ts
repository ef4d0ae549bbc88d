/** Groupings that sums support for responses from any source. */
export const groupings = ["day", "session", "project", "model"] as const;
export type Grouping = (typeof groupings)[number];
