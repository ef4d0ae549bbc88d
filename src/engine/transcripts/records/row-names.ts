import type { RowObject } from "../claude/row-fields.ts";
import type { FoundFile } from "../walk-files.ts";

/** Names in a row that no tested version of its agent writes. */
interface UnknownNames {
  /** The row's type, if it is unknown. */
  readonly type: string | null;
  readonly members: readonly string[];
}

/** Finds the unknown names in an agent's rows. */
export interface RowNames {
  /** Its files of rows, one row per line. */
  readonly files: (roots: readonly string[]) => readonly FoundFile[];
  /** @param line the row's own bytes */
  readonly unknownIn: (row: RowObject, line: Buffer) => UnknownNames;
  /** The agent's version that a row names; null where it names none. */
  readonly versionIn: (row: RowObject) => string | null;
}
