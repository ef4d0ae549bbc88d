import path from "node:path";
import { writeAtomically } from "../../base/disk/atomic-file.ts";
import { errorCode } from "../../base/error-code.ts";
import type { FilePort } from "../../base/disk/file-port.ts";
import { fail, succeed } from "../../base/result.ts";
import { onDisk, type Budgeted } from "../faults.ts";
import { makeSpendingFolder, namesIn, readIfThere } from "../places.ts";
import { mergedTotals, type SessionTotals } from "./session-totals.ts";
import { readTotals, totalsText } from "./text.ts";

interface Ports {
  readonly files: FilePort;
  readonly unique: () => string;
}

interface Kept {
  readonly modifiedAt: number;
  readonly sessions: readonly SessionTotals[];
}

/**
 * What ledgers have of a project, in `.purser/spending` beside what callers told: a file a ledger, which its service alone writes, always
 * whole. So there is nothing to be merged, and what is there is what the ledger has, whatever was told before it and however often.
 */
export class LedgerTotals {
  readonly #folder: string;
  readonly #ports: Ports;
  /** By name: a file is read again when it was written again. */
  readonly #kept = new Map<string, Kept>();
  #merged: { readonly of: readonly Kept[]; readonly totals: readonly SessionTotals[] } | undefined;

  constructor(folder: string, ports: Ports) {
    this.#folder = folder;
    this.#ports = ports;
  }

  /** All ledgers'. A file that is damaged is a failure: what was spent is not known then. @throws the system's error */
  async read(): Promise<Budgeted<readonly SessionTotals[]>> {
    const names = (await namesIn(this.#folder, this.#ports.files)).filter(isTotals).toSorted();
    for (const name of this.#kept.keys()) if (!names.includes(name)) this.#kept.delete(name);
    const all: Kept[] = [];
    for (const name of names) {
      const kept = await this.#one(name);
      if (!kept.ok) return kept;
      if (kept.value !== null) all.push(kept.value);
    }
    const known = this.#merged;
    if (known?.of.length === all.length && known.of.every((each, index) => each === all[index]))
      return succeed(known.totals);
    const totals = mergedTotals(all.map(({ sessions }) => sessions));
    this.#merged = { of: all, totals };
    return succeed(totals);
  }

  /** @throws the system's error */
  async write(ledgerId: string, sessions: readonly SessionTotals[]): Promise<void> {
    await makeSpendingFolder(this.#folder, this.#ports.files);
    const name = nameOf(ledgerId);
    await writeAtomically(path.join(this.#folder, name), totalsText(sessions), this.#ports);
    this.#kept.delete(name);
  }

  /** What one ledger told last; none where its file is not there, damaged or closed to us: then it is told anew. */
  async toldBy(ledgerId: string): Promise<readonly SessionTotals[]> {
    const name = nameOf(ledgerId);
    const told = await onDisk(path.join(this.#folder, name), () => this.#one(name));
    return told.ok ? (told.value?.sessions ?? []) : [];
  }

  async hasToldBy(ledgerId: string): Promise<boolean> {
    const file = path.join(this.#folder, nameOf(ledgerId));
    const found = await onDisk(file, async () => succeed(await timeOf(file, this.#ports.files)));
    return found.ok && found.value !== null;
  }

  /** Null for one that was removed. */
  async #one(name: string): Promise<Budgeted<Kept | null>> {
    const { files } = this.#ports;
    const file = path.join(this.#folder, name);
    const modifiedAt = await timeOf(file, files);
    const kept = this.#kept.get(name);
    if (kept?.modifiedAt === modifiedAt) return succeed(kept);
    const bytes = await readIfThere(file, files);
    if (bytes === undefined || modifiedAt === null) return succeed(null);
    const read = readTotals(bytes);
    if (!read.ok) return damaged(file, read.detail);
    const found = { modifiedAt, sessions: read.value };
    // A file system that tells whole seconds may write twice within one.
    if (modifiedAt % 1000 !== 0) this.#kept.set(name, found);
    return succeed(found);
  }
}

function isTotals(name: string): boolean {
  return /^ledger\.[\w-]+\.json$/u.test(name);
}

function nameOf(ledgerId: string): string {
  return `ledger.${ledgerId}.json`;
}

async function timeOf(file: string, files: FilePort): Promise<number | null> {
  try {
    return await files.modifiedAt(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function damaged(file: string, what: string) {
  const remedy = "remove it; purser service restart counts anew from the ledger";
  return fail("corrupt", `${file} cannot be used: ${what}; nothing may be spent until then: ${remedy}`);
}
