import type { FileProblem } from "../../transcripts/claude/files.ts";
import type { AgentName } from "../../transcripts/agents.ts";
import type { SkippedRows } from "../../transcripts/scan/unit-scanner.ts";
import type { CountedResponse } from "../../usage/aggregate.ts";

/** What one agent's files tell. */
export interface FilesRead {
  readonly agent: AgentName;
  /** Each counted once. May be gone through again. */
  readonly responses: Iterable<CountedResponse>;
  readonly skipped: SkippedRows;
  readonly problems: readonly FileProblem[];
  /** Files that could be read. */
  readonly files: number;
}
