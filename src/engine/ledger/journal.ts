/** The journal's lines and files. */
import type { LockPaths, LockPorts } from "../base/lock.ts";
import type { RandomFiles } from "./pages/random-file.ts";
import type { SqlEngine } from "./store/database.ts";

export { LineWriter, encodeHeader, journalFormat } from "./journal/line.ts";
export { segmentPath } from "./journal/segment.ts";

/** What a ledger needs from outside. */
export interface LedgerPorts extends LockPorts {
  readonly files: RandomFiles;
  readonly engine: SqlEngine;
}

/** The journal's folder in `~/.purser`. */
export const journalFolderName = "journal";

export function lockIn(folder: string): LockPaths {
  return { folder, name: "ledger", older: "ledger.lock" };
}
