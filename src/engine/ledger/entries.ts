/** What the ledger records. */
export { hookEventEntry } from "./entries/collected.ts";
export { diffItems, lostItem, lostKinds, type DiffItem } from "./entries/continuity-entries.ts";
export type { LedgerEntry } from "./entries/entries-entry.ts";
export { maxSentenceLength } from "./entries/fields.ts";
export { guardHitEntry } from "./entries/guard-entries.ts";
export { handoverStates } from "./entries/continuity-entries.ts";
export type { StateDetails } from "./entries/continuity-entries.ts";
