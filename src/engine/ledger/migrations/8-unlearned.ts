/**
 * The eighth migration: where compaction begins is learned from the compactions that the ledger holds, which outlive their
 * transcripts; nothing was ever written beside them.
 */
export const unlearnedTables = `
DROP TABLE learned_headroom;
`;
