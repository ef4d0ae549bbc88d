import { writeFile } from "node:fs/promises";
import path from "node:path";
import { writeAtomically, textIfThere, nodeFiles } from "../base/files.ts";
import { readJson } from "../base/parse.ts";
import { type BenchRequest, requestHash } from "../bench/bench-request.ts";
import { evidenceShape } from "../rules/book.ts";
import type { SettledPair } from "../verdict/measure-pair.ts";
import type { Evidence } from "../verdict/evidence.ts";
import { type Receipt, readReceipt, receiptToMarkdown } from "../verdict/receipt.ts";

/** One measurement: its bench's id, and the evidence of earlier ones of the same. */
export interface Attempt {
  readonly id: string;
  /** Counted from 1; sets the order of runs. */
  readonly number: number;
  readonly evidence: readonly Evidence[];
}

export interface ReceiptFiles {
  readonly receipt: string;
  readonly receiptText: string;
}

/** `arm` counts several changes from 1; 0 is the only one. */
function nameOf(file: "receipt.json" | "receipt.md" | "evidence.json", arm: number): string {
  return arm === 0 ? file : `${arm}.${file}`;
}

/** Nobody measures one pair more often. */
const maxAttempts = 1000;

/**
 * An interrupted attempt continues; one with all its receipts is evidence for the next. Replays are not: they repeat one result and are never pooled.
 * `wanted` is an attempt to use, settled or not: a job continues its own.
 */
export async function attemptOf(
  asked: Omit<BenchRequest, "id" | "seed">,
  benches: string,
  { wanted, changes }: { readonly wanted: number | null; readonly changes: number },
): Promise<Attempt> {
  const name = `compare-${requestHash({ ...asked, seed: 0 }).slice(0, 12)}`;
  const evidence: Evidence[] = [];
  for (let number = 1; number < maxAttempts; number += 1) {
    const id = `${name}-${number}`;
    const folder = path.join(benches, id);
    const settled = await settledReceipts(folder, changes);
    if (number === wanted || settled.includes(null)) return { id, number, evidence };
    for (const arm of armsOf(changes)) {
      const file = path.join(folder, nameOf("evidence.json", arm));
      const read = readJson(evidenceShape, await textIfThere(file));
      if (read !== null && asked.driver !== "replay") evidence.push(read);
    }
  }
  return { id: `${name}-${maxAttempts}`, number: maxAttempts, evidence };
}

function armsOf(changes: number): number[] {
  return changes === 1 ? [0] : Array.from({ length: changes }, (_, index) => index + 1);
}

/** By change; null for each that is not settled. */
export async function settledReceipts(folder: string, changes: number): Promise<(Receipt | null)[]> {
  return await Promise.all(armsOf(changes).map((arm) => settledReceipt(folder, arm)));
}

async function settledReceipt(folder: string, arm: number): Promise<Receipt | null> {
  const receipt = readReceipt((await textIfThere(path.join(folder, nameOf("receipt.json", arm)))) ?? "");
  return receipt.ok ? receipt.value : null;
}

/** Writes the receipt last, next to the runs it is based on. `arm` counts from 1. */
export async function writeReceipt(
  { receipt, evidence }: SettledPair,
  folder: string,
  unique: () => string,
  arm = 0,
): Promise<ReceiptFiles> {
  const pathOf = (name: Parameters<typeof nameOf>[0]) => path.join(folder, nameOf(name, arm));
  const paths = receiptFiles(folder, arm);
  await writeFile(pathOf("evidence.json"), `${JSON.stringify(evidence)}\n`, { mode: 0o600 });
  await writeFile(paths.receiptText, receiptToMarkdown(receipt), { mode: 0o600 });
  const bytes = Buffer.from(`${JSON.stringify(receipt, null, 2)}\n`);
  await writeAtomically(paths.receipt, bytes, { files: nodeFiles, unique });
  return paths;
}

/** Returns the receipt that an interrupted measurement wrote before, if there is one. */
export async function keepReceipt(
  settled: SettledPair,
  { folder, arm }: { readonly folder: string; readonly arm: number },
  unique: () => string,
): Promise<Receipt> {
  const known = await settledReceipt(folder, arm);
  if (known !== null) return known;
  await writeReceipt(settled, folder, unique, arm);
  return settled.receipt;
}

export function receiptFiles(folder: string, arm: number): ReceiptFiles {
  const [receipt, receiptText] = [nameOf("receipt.json", arm), nameOf("receipt.md", arm)];
  return { receipt: path.join(folder, receipt), receiptText: path.join(folder, receiptText) };
}
