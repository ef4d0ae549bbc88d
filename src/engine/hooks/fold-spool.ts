import path from "node:path";
import * as z from "zod/mini";
import { readFile, rm, stat } from "node:fs/promises";
import { namesIfReadable } from "../base/files.ts";
import { readJson } from "../base/parse.ts";
import { type Result, errorCode, rethrowUnlessSystemError } from "../base/result.ts";
import { type LedgerEntry, hookEventEntry, guardHitEntry } from "../ledger/entries.ts";
import { isSpoolFile, isUnfinished } from "./spool-file.ts";

export interface FoldPorts {
  readonly append: (entries: readonly LedgerEntry[]) => Promise<Result<unknown>>;
  readonly onProblem: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Events, and guard rules that the hook program decided by itself. */
const spooledEntry = z.discriminatedUnion("kind", [hookEventEntry, guardHitEntry]);
/** Maximum files with entries appended to the ledger at once. */
const batch = 200;
/** Larger files are rejected; what purser writes is much smaller. Bytes. */
const maxFileSize = 32 * 1024 * 1024;
/** Partial files older than this are removed: no write takes longer. Milliseconds. */
const leftAfter = 60 * 60_000;

/**
 * Appends the spool's entries to the ledger, oldest first. Removes a file once the ledger has acknowledged
 * its entries. If that fails they are appended again, which changes nothing, as each event has its own id.
 * Returns the number of events.
 */
export async function foldSpool(folder: string, ports: FoldPorts): Promise<number> {
  const names = (await namesIfReadable(folder)).sort();
  await removeLeft(folder, names.filter(isUnfinished), ports);
  const files = names.filter(isSpoolFile);
  let folded = 0;
  for (let start = 0; start < files.length; start += batch) {
    const read = await Promise.all(
      files.slice(start, start + batch).map((name) => readSpoolFile(path.join(folder, name), ports)),
    );
    const whole = read.flatMap((each) => each ?? []);
    const entries = whole.flatMap((each) => each.entries);
    if (entries.length > 0) {
      const appended = await ports.append(entries);
      // The files stay for the next attempt.
      if (!appended.ok) {
        ports.onProblem(`What hooks told before is not in the ledger yet: ${appended.detail.text}`);
        return folded;
      }
    }
    for (const { file } of whole) await rm(file, { force: true });
    folded += entries.length;
  }
  return folded;
}

interface SpoolFile {
  readonly file: string;
  readonly entries: readonly LedgerEntry[];
}

/** Returns null for a file that cannot be read; it stays. */
async function readSpoolFile(file: string, { onProblem }: FoldPorts): Promise<SpoolFile | null> {
  try {
    const stats = await stat(file);
    if (!stats.isFile() || stats.size > maxFileSize) {
      onProblem(`${file} is not what purser writes`);
      return null;
    }
    const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    const entries = lines.flatMap((line) => readJson(spooledEntry, line) ?? []);
    if (entries.length < lines.length)
      onProblem(`${file}: ${lines.length - entries.length} lines are no events, and are left out`);
    return { file, entries };
  } catch (error) {
    onProblem(`${file}: ${errorCode(error)}`);
    return null;
  }
}

async function removeLeft(folder: string, names: readonly string[], { now }: FoldPorts): Promise<void> {
  for (const name of names) {
    const file = path.join(folder, name);
    try {
      if (now() - (await stat(file)).mtimeMs > leftAfter) await rm(file, { force: true });
    } catch (error) {
      // Its writer has just finished it.
      rethrowUnlessSystemError(error);
    }
  }
}
