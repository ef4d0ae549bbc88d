import type { AgentName } from "../../transcripts/agents.ts";
import type { ApiResponse, Compaction } from "../../usage/api-response.ts";

/** The ledger's data on a session that its files no longer contain. Times in milliseconds since the epoch. */
export interface StoredWork {
  readonly responses: readonly StoredResponse[];
  /** Calls of tools by id. */
  readonly calls: readonly (readonly [id: string, tool: string])[];
  /** Times of the prompts that these responses answer. */
  readonly prompts: readonly number[];
  readonly compactions: readonly Compaction[];
  /** Where the session began; null where unknown. */
  readonly cwd: string | null;
}

export interface StoredResponse {
  readonly response: ApiResponse;
  /** The subagent that used it; null for the main agent. */
  readonly agentId: string | null;
  readonly isCopy: boolean;
}

export interface StoredWorkQuery {
  readonly agent: AgentName;
  readonly sessionId: string;
  /** The ids of all responses in the files, in the ledger's form. */
  readonly messages: readonly string[];
  /** Later data is not requested: it is still to be read from the files. */
  readonly until: number;
}

/** Returns the stored data of a session; null while the ledger cannot answer. */
export type FindStoredWork = (asked: StoredWorkQuery) => Promise<StoredWork | null>;
