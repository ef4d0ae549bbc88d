import type { SuitePaths } from "../bench/suite.ts";
import type { LedgerPrograms } from "../service/launch.ts";

/** A command's access to the machine. Tests pass another. */
export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Opened only for a question. Without it nobody can answer. */
  readonly stdin?: () => NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** purser's own file, which its runtime runs. */
  readonly program: string;
  readonly version: () => string;
  readonly scanWorker: string;
  readonly service: { readonly program: string; readonly execPath: string; readonly isElectron: boolean };
  readonly ledgerPrograms: Pick<LedgerPrograms, "ledger" | "sqlWasm">;
  /** Runs a program; null if it fails. Only tests pass it. */
  readonly run?: (program: string, args: readonly string[]) => Promise<string | null>;
  readonly pid: number;
  /** Words after `purser`; set by `run`. */
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
  onResize?(listener: () => void): void;
}
