/** Names the ledger in the list of unreadable files, with the reason why nothing is collected into it. */
export const ledgerItself = "ledger";
