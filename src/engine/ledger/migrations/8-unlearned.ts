/**
 * The eighth migration: compaction thresholds are learned from the compactions that the ledger holds, which outlive
 * their transcripts; the table for them was never written.
 */
export const unlearnedTables = `
DROP TABLE learned_headroom;
`;
