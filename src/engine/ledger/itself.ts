/** Stands for the ledger among the files that could not be read: a reason that nothing is collected into it. */
export const ledgerItself = "ledger";
