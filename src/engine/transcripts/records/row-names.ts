import type { RowObject } from "../claude/row-fields.ts";
import type { FoundFile } from "../walk-files.ts";

/** What a row has that no tested version of its agent writes. */
interface UnknownNames {
  /** The row's type, where it is not known. */
  readonly type: string | null;
  readonly members: readonly string[];
}

/** Names what is not known in an agent's rows. */
export interface RowNames {
  /** Its files of rows, one a line. */
  readonly files: (roots: readonly string[]) => readonly FoundFile[];
  /** @param line the row's own bytes */
  readonly unknownIn: (row: RowObject, line: Buffer) => UnknownNames;
  /** The agent's version that a row names; null where it names none. */
  readonly versionIn: (row: RowObject) => string | null;
}
