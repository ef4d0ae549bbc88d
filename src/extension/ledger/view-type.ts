/** What the editor knows the Ledger panel by, over a reload of the window too. */
export const ledgerViewType = "purser.ledger";
