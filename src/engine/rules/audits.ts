/** So many of an agent's active rules, those that were measured longest ago first; never measured ones before them. */
export type Audits = number | "all";

/** One at a time is measured again: all of them come round, and no selection costs much more for it. */
export const usualAudits: Audits = 1;
