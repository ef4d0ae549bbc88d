import type { AgentName } from "../../transcripts/agents.ts";
import type { ApiResponse } from "../../usage/api-response.ts";
import type { Compaction } from "../../usage/compaction.ts";

/** What the ledger keeps of a session, and its files no longer tell. Times in milliseconds since the epoch. */
export interface StoredWork {
  readonly responses: readonly StoredResponse[];
  /** Calls of tools by id. */
  readonly calls: readonly (readonly [id: string, tool: string])[];
  /** When the prompts were sent that these responses answer. */
  readonly prompts: readonly number[];
  /** Those of the main chain. */
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
  /** The ids of all responses that the files tell, as the ledger has them. */
  readonly messages: readonly string[];
  /** Nothing later is asked for: it is still to be read from the files. */
  readonly until: number;
}

/** Answers what is stored of a session; null while nothing can be asked. */
export type FindStoredWork = (asked: StoredWorkQuery) => Promise<StoredWork | null>;
