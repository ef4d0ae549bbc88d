import type { FileProblem } from "../../base/disk/file-problem.ts";
import type { AgentName } from "../../transcripts/agents.ts";
import type { SkippedRows } from "../../transcripts/scan/unit-scanner.ts";
import type { CountedResponse } from "../../usage/aggregate.ts";

/** Usage read from one agent's files. */
export interface FilesRead {
  readonly agent: AgentName;
  /** Each counted once. Can be iterated again. */
  readonly responses: Iterable<CountedResponse>;
  readonly skipped: SkippedRows;
  readonly problems: readonly FileProblem[];
  /** Files that could be read. */
  readonly files: number;
}
