import type { Sentence } from "../../base/language.ts";
import { fail, succeed, type Failure, type Result } from "../../base/result.ts";
import { type LedgerThread, openLedgerThread, type OpenReason } from "../../ledger/ledger-thread.ts";
import { purserPaths } from "../../base/paths.ts";
import type { CliHost } from "../cli-ports.ts";
import { cannotOpen, type LedgerRefusal } from "../../ledger/remedy.ts";
import { asLine } from "../terminal-text.ts";
import { hasLedger } from "./ledger-files.ts";

/** Reads beside the writer. Leaves the folder unchanged. */
export async function openToRead(host: CliHost): Promise<Result<LedgerThread, OpenReason>> {
  const { ledgerPrograms } = host;
  const { folder } = purserPaths(host);
  return await openLedgerThread(
    { folder, wasmPath: ledgerPrograms.sqlWasm, access: "read", models: {} },
    ledgerPrograms.ledger,
  );
}

/** Null without a ledger. */
export async function readLedger<Value>(
  host: CliHost,
  ask: (ledger: LedgerThread) => Promise<Value>,
): Promise<Result<Value | null>> {
  if (!hasLedger(host)) return succeed(null);
  const ledger = await openToRead(host);
  if (!ledger.ok) return unreadable(ledger);
  try {
    return succeed(await ask(ledger.value));
  } finally {
    await ledger.value.close();
  }
}

const unserved: readonly string[] = ["not_running", "unwritable", "forbidden", "failed"];

/** The ledger has no service then: its files are all there is to read. */
export function isUnserved({ reason }: Failure): boolean {
  return unserved.includes(reason);
}

export function unreadable(refusal: LedgerRefusal): Failure<"no_ledger"> {
  return fail("no_ledger", cannotOpen(refusal));
}

export function printLine(host: CliHost, message: Sentence): Result<number> {
  host.stdout.write(`${asLine(message)}\n`);
  return succeed(0);
}
