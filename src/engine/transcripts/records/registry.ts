import type { RecordAdapter } from "./adapter.ts";
import type { AgentName } from "../agents.ts";
import { codex } from "../codex/adapter.ts";
import { copilot } from "../copilot/adapter.ts";
import { gemini } from "../gemini/adapter.ts";

/**
 * The readers of each agent's usage records; null for Claude Code, whose transcripts tell responses: they have a scanner
 * (`scan/`) and a resumable reader in the ledger (`ledger/collect/claude`). Apart from `agents`, whose names and roots are
 * needed by programs that hold no reader.
 */
export const recordAdapters: Readonly<Record<AgentName, RecordAdapter | null>> = {
  "claude-code": null,
  codex,
  copilot,
  gemini,
};
