import type { HomeInput } from "./home-folder.ts";
import type { FindCallsInContext, AgentHistory } from "./past.ts";
import type { LiveReader } from "./live-reader.ts";
import type { RowNames } from "./records.ts";
import type { UsageReader } from "./usage-reader.ts";

export interface AgentAdapter {
  /** The agent's name in the ledger and in `purser usage --agent`. */
  readonly name: string;
  /** The agent's name on a screen. */
  readonly displayName: string;
  /** The editor's icon that stands for it. */
  readonly icon: string;
  /** Returns the command line that resumes a session, by its id as a shell's word; null where a terminal cannot. */
  readonly resume: ((quotedId: string) => string) | null;
  /** The environment variable in which its tools find the session's id; null where it sets none. */
  readonly sessionVariable: string | null;
  /** The folders that hold its sessions. They need not exist. */
  readonly roots: (input: HomeInput) => readonly string[];
  /**
   * Loads the reader of its usage records, which many programs do not need. Null for Claude Code: its transcripts have
   * a scanner (`scan/`) and a resumable reader in the ledger (`ledger/collect/claude`).
   */
  readonly usageReader: (() => Promise<UsageReader>) | null;
  /** Whether every row names the branch, so that a transcript shows the branch its session last worked on. */
  readonly tellsBranch: boolean;
  /** Loads the reader of its past calls and outputs; null where its files hold no outputs. */
  readonly history: (() => Promise<AgentHistory>) | null;
  /**
   * Loads the search for calls that are still in a context. Null where its transcripts may not record what a user took
   * back.
   */
  readonly findCallsInContext: (() => Promise<FindCallsInContext>) | null;
  /** Loads the finder of unknown names in its rows; null where its files hold no rows with stable names. */
  readonly rowNames: (() => Promise<RowNames>) | null;
  readonly liveReader: () => Promise<LiveReader>;
}
