import path from "node:path";
import { sentence, type Sentence } from "../../base/language.ts";
import { writeAtomically, type FilePort } from "../../base/files.ts";
import { type Result, fail, succeed, errorCode } from "../../base/result.ts";
import { onDisk, unusableFile, type Budgeted } from "../faults.ts";
import { makeSpendingFolder, namesIn, readIfThere } from "../disk-layout.ts";
import { mergedTotals, type SessionTotals, ledgerTotalsSchema } from "./session-totals.ts";
import { sha256Hex } from "../../base/hash.ts";
import { spendingSchema, type Spending, type UsageRow } from "./spending.ts";
import { parseJson } from "../../base/parse.ts";

/**
 * The text around the content; the checksum covers its exact bytes. Nobody edits this file by hand, so nothing in it
 * may differ.
 */
const [before, between, after] = [`{"checksum":"`, `","content":`, "}\n"];
const checksumLength = 16;
const start = before.length + checksumLength + between.length;

export type CallerSpending = Omit<Spending, "totals">;

/** Returns the file's text for usage recorded by callers: JSON on one line. */
export function spendingText({ usage, leases, recorded }: CallerSpending): Buffer {
  return sealed({ schema: 2, usage, leases, recorded });
}

export function readSpending(bytes: Buffer): Result<CallerSpending, "corrupt"> {
  const opened = opening(bytes);
  if (!opened.ok) return opened;
  const parsed = spendingSchema.safeParse(opened.value);
  if (!parsed.success) return unknownContent;
  const { schema, usage, leases, recorded } = parsed.data;
  return succeed({ usage: schema === 1 ? usage.flatMap(ofCallers) : usage, leases, recorded });
}

/** In the first version `observed` held the ledger's totals, which now have their own file. */
function ofCallers(row: UsageRow): UsageRow[] {
  return row.settled === 0 ? [] : [{ ...row, observed: 0 }];
}

/** Returns the file's text for a ledger's totals of a project. */
export function totalsText(sessions: readonly SessionTotals[]): Buffer {
  return sealed({ schema: 1, sessions });
}

/** Parses `totalsText`, failing as `readSpending` does. */
export function readTotals(bytes: Buffer): Result<readonly SessionTotals[], "corrupt"> {
  const opened = opening(bytes);
  if (!opened.ok) return opened;
  const parsed = ledgerTotalsSchema.safeParse(opened.value);
  return parsed.success ? succeed(parsed.data.sessions) : unknownContent;
}

const unknownContent = fail("corrupt", sentence("its content is not what this version of purser writes"));

function sealed(value: object): Buffer {
  const content = Buffer.from(JSON.stringify(value));
  return Buffer.concat([
    Buffer.from(`${before}${checksumOf(content)}${between}`),
    content,
    Buffer.from(after),
  ]);
}

function opening(bytes: Buffer): Result<unknown, "corrupt"> {
  const content = bytes.subarray(start, Math.max(start, bytes.length - after.length));
  const head = `${before}${checksumOf(content)}${between}`;
  const isWhole =
    bytes.subarray(0, start).equals(Buffer.from(head)) &&
    bytes.subarray(start + content.length).equals(Buffer.from(after));
  if (!isWhole) return fail("corrupt", sentence("its checksum does not fit its content"));
  return succeed(parseJson(content.toString()));
}

function checksumOf(content: Buffer): string {
  return sha256Hex(content, checksumLength);
}

interface Ports {
  readonly files: FilePort;
  readonly unique: () => string;
}

interface StoredTotals {
  readonly modifiedAt: number;
  readonly sessions: readonly SessionTotals[];
}

/**
 * Totals of a project from ledgers, in `.purser/spending` beside the usage recorded by callers: one file per ledger, written only by its
 * service and always as a whole. So nothing needs merging within a file: it is what the ledger has, whatever was written before and
 * however often.
 */
export class LedgerTotals {
  readonly #folder: string;
  readonly #ports: Ports;
  /** By file name; a file is read again when its modification time changes. */
  readonly #kept = new Map<string, StoredTotals>();
  #merged: { readonly of: readonly StoredTotals[]; readonly totals: readonly SessionTotals[] } | undefined;

  constructor(folder: string, ports: Ports) {
    this.#folder = folder;
    this.#ports = ports;
  }

  async read(): Promise<Budgeted<readonly SessionTotals[]>> {
    const names = (await namesIn(this.#folder, this.#ports.files)).filter(isTotals).toSorted();
    for (const name of this.#kept.keys()) if (!names.includes(name)) this.#kept.delete(name);
    const all: StoredTotals[] = [];
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

  async write(ledgerId: string, sessions: readonly SessionTotals[]): Promise<void> {
    await makeSpendingFolder(this.#folder, this.#ports.files);
    const name = nameOf(ledgerId);
    await writeAtomically(path.join(this.#folder, name), totalsText(sessions), this.#ports);
    this.#kept.delete(name);
  }

  /** @throws the system's error */
  async remove(ledgerId: string): Promise<void> {
    await this.#ports.files.remove(path.join(this.#folder, nameOf(ledgerId)));
  }

  /** Returns the last totals of one ledger; none if its file is missing, damaged or inaccessible: then the ledger writes them again. */
  async totalsBy(ledgerId: string): Promise<readonly SessionTotals[]> {
    const name = nameOf(ledgerId);
    const stored = await onDisk(path.join(this.#folder, name), () => this.#one(name));
    return stored.ok ? (stored.value?.sessions ?? []) : [];
  }

  async hasTotalsBy(ledgerId: string): Promise<boolean> {
    const file = path.join(this.#folder, nameOf(ledgerId));
    const found = await onDisk(file, async () => succeed(await timeOf(file, this.#ports.files)));
    return found.ok && found.value !== null;
  }

  async #one(name: string): Promise<Budgeted<StoredTotals | null>> {
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
    // On a file system with times in whole seconds, two writes may have the same time.
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

function damaged(file: string, what: Sentence) {
  const remedy = sentence("remove it; purser service restart counts again from the ledger");
  return unusableFile({ file, what, remedy });
}
