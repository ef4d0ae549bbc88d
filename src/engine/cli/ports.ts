import type { SuitePlaces } from "../bench/suite/load.ts";
import type { LedgerPrograms } from "../service/launch/programs.ts";

/** What a command may use of the machine; handed in at the top, and by tests. */
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
  /** What a person types; opened only where something is asked. Without it nobody is there to answer. */
  readonly stdin?: () => NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** purser's own version. */
  readonly version: () => string;
  /** The program of the threads that read transcripts. */
  readonly scanWorker: string;
  /** The program of the service, and what to run it with. */
  readonly service: { readonly program: string; readonly execPath: string; readonly isElectron: boolean };
  readonly ledgerPrograms: Pick<LedgerPrograms, "ledger" | "sqlWasm">;
  /** Runs a small program and answers what it prints, null where it fails; handed in by tests only. */
  readonly run?: (program: string, args: readonly string[]) => Promise<string | null>;
  readonly pid: number;
  /** The golden suite that comes with purser. */
  readonly suite: SuitePlaces;
  /** Where scratch folders are made: the system's temporary folder. */
  readonly scratch: string;
}

export interface Output {
  /** Answers false when what was written before has not been taken yet; then `drain` follows. */
  write(text: string | Uint8Array): unknown;
  once?(event: "drain", listener: () => void): unknown;
  readonly isTTY?: boolean;
}

/** A command of `purser`. To add one: write its file, and name it in `commands.ts`. */
export interface Command {
  /** What `--help` prints. */
  readonly help: string;
  /** Answers the exit code: 0, 1 when it could not be done, 2 when it was asked wrongly. */
  readonly run: (argv: readonly string[], host: CliHost) => Promise<number>;
}
