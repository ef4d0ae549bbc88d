import type { SuitePaths } from "../bench/suite.ts";
import type { LedgerPrograms } from "../service/launch.ts";

/** A command's access to the machine; passed in at the top, and by tests. */
export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** The working folder. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Standard input; opened only for a question. Without it nobody can answer. */
  readonly stdin?: () => NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** The file of `purser` itself, which its runtime runs. */
  readonly program: string;
  /** purser's own version. */
  readonly version: () => string;
  /** Program of the threads that read transcripts. */
  readonly scanWorker: string;
  /** Program of the service, and what runs it. */
  readonly service: { readonly program: string; readonly execPath: string; readonly isElectron: boolean };
  readonly ledgerPrograms: Pick<LedgerPrograms, "ledger" | "sqlWasm">;
  /** Runs a small program and returns its output, null where it fails; passed in by tests only. */
  readonly run?: (program: string, args: readonly string[]) => Promise<string | null>;
  readonly pid: number;
  /** The words after `purser` that started the command; set by `run`. */
  readonly words?: readonly string[];
  /** The golden suite bundled with purser. */
  readonly suite: SuitePaths;
  /** Folder of the guide's pages. */
  readonly guide: string;
  /** Parent of scratch folders: the system's temporary folder. */
  readonly scratch: string;
}

export interface Output {
  /** Returns false when earlier output has not been taken yet; then `drain` follows. */
  write(text: string | Uint8Array): unknown;
  once?(event: "drain", listener: () => void): unknown;
  /**
   * Aborted once the reader of the output is gone. Output is then dropped; a command that only prints may
   * end.
   */
  readonly closed?: AbortSignal;
  readonly isTTY?: boolean;
  /** Cells of a terminal's line; undefined for a file or a pipe. */
  readonly columns?: number | undefined;
  /** Calls the listener whenever the terminal's size has changed. */
  onResize?(listener: () => void): void;
}
