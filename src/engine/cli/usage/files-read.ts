import type { FileProblem } from "../../base/result.ts";
import type { AgentName } from "../../transcripts/agents.ts";
import type { SkippedRows } from "../../transcripts/records.ts";
import type { CountedResponse } from "../../usage/aggregate.ts";

export interface FilesRead {
  readonly agent: AgentName;
  /** Each counted once. Can be iterated again. */
  readonly responses: Iterable<CountedResponse>;
  readonly skipped: SkippedRows;
  readonly problems: readonly FileProblem[];
  readonly files: number;
}
