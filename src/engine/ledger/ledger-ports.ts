import type { LockPorts } from "../base/lock-file.ts";
import type { RandomFiles } from "../base/random-file.ts";
import type { SqlEngine } from "./database.ts";

/** What a ledger needs of the world. */
export interface LedgerPorts extends LockPorts {
  readonly files: RandomFiles;
  readonly engine: SqlEngine;
}

/** Where things are in `~/.purser`. */
export const [journalFolderName, lockName] = ["journal", "ledger.lock"];
