/**
 * Number of an agent's active rules to re-audit: never measured ones first, then those measured longest ago.
 */
export type Audits = number | "all";

/** Re-audits one rule per selection: all get their turn, and no selection costs much more for it. */
export const usualAudits: Audits = 1;
