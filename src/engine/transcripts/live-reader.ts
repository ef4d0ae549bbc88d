import type { FileProblem } from "../base/result.ts";
import type { RowReading } from "./agent-session.ts";
import type { FoundFile } from "./walk-files.ts";

/** Follows the sessions of one agent: finds their files, and reads them as they grow. */
export interface LiveReader {
  /**
   * Returns a finder of the sessions below the agent's roots.
   * @param archived whether to find archived sessions, too
   */
  readonly finder: (roots: readonly string[], isAlive: IsAlive, archived?: boolean) => SessionFinder;
  /** Reads the agent's own settings in effect where a session works. */
  readonly settings: (input: AgentSettingsInput) => AgentSettings;
  /**
   * Returns the tokens of the next request at which the agent begins to compact by its usual rule, as documented or
   * observed; null where no rule is known. A `NoThreshold` value is the reason why the agent does not compact before
   * the window ends.
   */
  readonly usualThreshold: (input: UsualThresholdInput) => number | NoThreshold | null;
  /** How long the agent's provider caches a context; null where unknown. */
  readonly cacheLife: CacheLife | null;
  /**
   * Texts that mark compactions: every file with one contains one of these texts, as the agent writes it. A search of
   * all past sessions parses no other file. Empty where files record no compactions.
   */
  readonly compactionMarks: readonly string[];
  /**
   * Returns the ledger's id of a response, from the id that live rows give it. Absent for an agent that never rewrites
   * its files without older rows.
   */
  readonly storedId?: (messageId: string, sessionId: string) => string;
  /**
   * Finds the transcript of a session that may have ended long ago. Its files may be gone.
   * @param id without path separators
   */
  readonly transcriptOf: (id: string, roots: readonly string[]) => Promise<string | undefined>;
}

/** Whether a process with this id is alive on this machine. */
export type IsAlive = (pid: number) => boolean;

export interface SessionFinder {
  /**
   * Lists the session files there are now.
   * @param since milliseconds since the epoch; files that did not change since then need not be opened
   */
  find(since: number): FoundSessions;
  /** Returns the folders, without their subfolders, in which new sessions appear or the files of these sessions change. */
  folders(recent: Iterable<FollowedSession>): Iterable<string>;
  /**
   * Returns whether a change at this path may mean a new session, a new file in a session, or a session's start or end.
   */
  matters(changedPath: string): boolean;
}

export interface FoundSessions {
  readonly files: readonly SessionFile[];
  /** Sessions with a process, by id. */
  readonly running: ReadonlySet<string>;
  readonly problems: readonly FileProblem[];
}

export interface FollowedSession {
  readonly id: string;
  readonly files: readonly SessionFile[];
}

export type SessionFile = FoundFile & {
  readonly sessionId: string;
  /** The subagent the whole file is about; null for the session's own. */
  readonly agentId: string | null;
} & (
    | { readonly kind: "lines"; readonly open: () => RowReader }
    /** Read as a whole after each change. `isAside` for facts beside the session's rows, such as its title. */
    | { readonly kind: "whole"; readonly open: () => WholeReader; readonly isAside: boolean }
  );

/** Reads the lines of one file in order. Never throws. */
export interface RowReader {
  /** @param line without its newline, in a buffer that is reused after the call */
  read(line: Buffer): RowReading;
}

/** Reads one file that is rewritten as a whole. Never throws. */
export interface WholeReader {
  /** State of the file now, compared with the state at the last reading; undefined while there is none. */
  stats(): Omit<FoundFile, "path"> | undefined;
  /** Returns the rows that are new since the last call, and may repeat those that are safe to apply twice. */
  read(): readonly RowReading[];
}

/** Time a cached context lives after its last use. Milliseconds. */
export interface CacheLife {
  readonly short: number;
  /** Where the agent requested the longer one. */
  readonly long: number;
}

export interface AgentSettingsInput {
  /** Environment the agent was probably started from: the host's own. The agent's settings files override it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The root that holds the session's files; null where unknown. */
  readonly root: string | null;
  /** The session's working folder, where its project's settings are. */
  readonly cwd: string | null;
  readonly model: string | null;
}

/** An agent's settings of windows and compaction. Tokens. */
export interface AgentSettings {
  /** False when automatic compaction is off. */
  readonly autoCompact: boolean;
  /** The window against which compaction is measured, if smaller than the model's. */
  readonly autoCompactWindow: number | null;
  /** Percent of the window at which to compact. */
  readonly compactPercent: number | null;
  /** Size of the context at which to compact, if set as a size. */
  readonly compactAt: number | null;
  readonly longContextOff: boolean;
  /** Model that sessions start with, by id or alias, any `[1m]` suffix included. */
  readonly model: string | null;
  /** Window set for models that the agent does not know. */
  readonly maxContextTokens: number | null;
  readonly maxOutputTokens: number | null;
  /** Window the agent assumes for unknown models without a setting; null where it assumes none. */
  readonly assumedWindow: number | null;
  /** False where the agent defines the windows of models itself, so that the catalogue's do not apply. */
  readonly usesCatalogueWindows: boolean;
}

export const unsetAgentSettings: AgentSettings = {
  autoCompact: true,
  autoCompactWindow: null,
  compactPercent: null,
  compactAt: null,
  longContextOff: false,
  model: null,
  maxContextTokens: null,
  maxOutputTokens: null,
  assumedWindow: null,
  usesCatalogueWindows: true,
};

/** `model`: the agent never compacts this model by itself. `assumed-window`: it assumes too large a window. */
export type NoThreshold = "model" | "assumed-window";

export interface UsualThresholdInput {
  readonly window: number;
  /** The model as the API names it. */
  readonly model?: string;
  /** False where the agent does not know the model, and therefore assumes its window. */
  readonly isKnownModel?: boolean;
  /** Maximum output tokens of the model, if known. */
  readonly maxOutput: number | null;
  readonly settings: AgentSettings;
}
