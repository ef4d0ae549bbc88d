import { readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { textIfThere } from "../../base/files.ts";
import { type Result, errorCode } from "../../base/result.ts";
import { entriesOfRun } from "../../bench/bench-entries.ts";
import { readBench } from "../../bench/execute.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";

export interface RecordBenchesPorts {
  /** Resolves when the ledger has acknowledged or rejected the entries; waits for the ledger to open. */
  readonly append: (entries: readonly LedgerEntry[]) => Promise<Result<unknown>>;
  readonly onProblem: (message: string) => void;
}

const atOnce = 100;
/** Has the modification time of a bench's runs when the ledger had all of them. */
const recordedFile = "in-ledger";

/**
 * Appends runs of benches, comparisons and measured rules that were made while no service ran. A run that the ledger already has changes nothing.
 * Never rejects. `folder` contains the benches' folders.
 */
export async function recordBenches(folder: string, ports: RecordBenchesPorts): Promise<void> {
  try {
    for (const name of await namesIn(folder)) {
      const isTaken = await recordBench(path.join(folder, name), ports);
      // The next service tries again.
      if (!isTaken) return;
    }
  } catch (error) {
    ports.onProblem(`Benches are not looked at for runs that the ledger lacks: ${String(error)}`);
  }
}

async function recordBench(bench: string, { append, onProblem }: RecordBenchesPorts): Promise<boolean> {
  const changedAt = await timeOf(path.join(bench, "runs.ndjson"));
  const recorded = path.join(bench, recordedFile);
  if (changedAt === null || (await textIfThere(recorded)) === changedAt) return true;
  const read = await readBench(bench);
  if (!read.ok) {
    onProblem(`Runs of a bench may be missing in the ledger: ${read.detail.text}`);
    return true;
  }
  const runs = read.value?.runs ?? [];
  for (let from = 0; from < runs.length; from += atOnce) {
    const appended = await append(runs.slice(from, from + atOnce).flatMap(entriesOfRun));
    if (appended.ok) continue;
    onProblem(`Runs of a bench are not in the ledger yet: ${appended.detail.text}`);
    return false;
  }
  await writeFile(recorded, changedAt, { mode: 0o600 });
  return true;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function timeOf(file: string): Promise<string | null> {
  try {
    return String((await stat(file)).mtimeMs);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return null;
    throw error;
  }
}
