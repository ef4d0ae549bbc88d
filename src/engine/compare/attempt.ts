import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { parseJson } from "../base/parse-json.ts";
import { writeAtomically } from "../base/disk/atomic-file.ts";
import { errorCode } from "../base/error-code.ts";
import { nodeFiles } from "../base/disk/file-port.ts";
import { requestHash } from "../bench/id.ts";
import type { BenchRequest } from "../bench/request.ts";
import type { Evidence } from "../verdict/statistics/pool.ts";
import { receiptToMarkdown } from "../verdict/receipt/markdown.ts";
import { readReceipt, type Receipt } from "../verdict/receipt/receipt.ts";

/** One measurement of a pair: its bench's name, and what earlier ones of the same pair measured. */
export interface Attempt {
  readonly id: string;
  /** From 1; runs are ordered by it. */
  readonly number: number;
  readonly evidence: readonly Evidence[];
}

export interface ReceiptFiles {
  readonly receipt: string;
  readonly receiptText: string;
}

const sample = z.object({
  taskId: z.string(),
  weight: z.number(),
  side: z.union([z.literal(0), z.literal(1)]),
  round: z.number(),
  tokens: z.number(),
  passed: z.boolean(),
});
const evidenceFile = z.object({
  id: z.string(),
  ruleId: z.string(),
  suiteHash: z.string(),
  model: z.string(),
  driver: z.string(),
  at: z.number(),
  samples: z.array(sample),
});

const receiptName = "receipt.json";
/** More often nobody measures the same. */
const mostAttempts = 1000;

/**
 * The attempt to make of a pair: the one that was interrupted goes on; one that has its receipt is evidence for the next. What is replayed
 * says the same again and again, and is never added up.
 *
 * @param benches where benches are kept
 * @param wanted the attempt that it is to be, settled or not: what began it goes on with that one
 */
export async function attemptOf(
  pair: Omit<BenchRequest, "id" | "seed">,
  benches: string,
  wanted: number | null = null,
): Promise<Attempt> {
  const name = `compare-${requestHash({ ...pair, seed: 0 }).slice(0, 12)}`;
  const evidence: Evidence[] = [];
  for (let number = 1; number < mostAttempts; number += 1) {
    const id = `${name}-${number}`;
    const folder = path.join(benches, id);
    if (number === wanted || (await settledReceipt(folder)) === null) return { id, number, evidence };
    const read = evidenceFile.safeParse(parseJson((await textOf(path.join(folder, "evidence.json"))) ?? ""));
    if (read.success && pair.driver !== "replay") evidence.push(read.data);
  }
  return { id: `${name}-${mostAttempts}`, number: mostAttempts, evidence };
}

/** The receipt of an attempt; null where it is not settled. @param folder of its bench */
export async function settledReceipt(folder: string): Promise<Receipt | null> {
  const receipt = readReceipt((await textOf(path.join(folder, receiptName))) ?? "");
  return receipt.ok ? receipt.value : null;
}

/** Writes a receipt beside the runs it rests on; the receipt itself last. @param folder of its bench */
export async function writeReceipt(
  { receipt, evidence }: { readonly receipt: Receipt; readonly evidence: Evidence },
  folder: string,
  unique: () => string,
): Promise<ReceiptFiles> {
  const at = (name: string) => path.join(folder, name);
  const places = { receipt: at(receiptName), receiptText: at("receipt.md") };
  await writeFile(at("evidence.json"), `${JSON.stringify(evidence)}\n`, { mode: 0o600 });
  await writeFile(places.receiptText, receiptToMarkdown(receipt), { mode: 0o600 });
  const bytes = Buffer.from(`${JSON.stringify(receipt, null, 2)}\n`);
  await writeAtomically(places.receipt, bytes, { files: nodeFiles, unique });
  return places;
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
