/** What the ledger records. */
export { hookEventEntry } from "./entries/collected.ts";
export { diffItems, lostItem, lostKinds, type DiffItem } from "./entries/compaction-diffs.ts";
export type { LedgerEntry } from "./entries/entries-entry.ts";
export { maxSentenceLength } from "./entries/fields.ts";
export { guardHitEntry } from "./entries/guard-hits.ts";
export { handoverStates } from "./entries/handed-over.ts";
export type { StateDetails } from "./entries/session-states.ts";
