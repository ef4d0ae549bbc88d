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

/** One measurement of a pair: its bench's id, and the evidence of earlier ones of the same pair. */
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
/** Nobody measures one pair more often. */
const mostAttempts = 1000;

/**
 * Returns the attempt to make of a pair: an interrupted one continues; one that has its receipt is evidence
 * for the next. Replays are not: they repeat one result and are never pooled.
 *
 * @param benches folder of all benches
 * @param wanted number of the attempt to use, settled or not: a job continues with the attempt it began
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

/** Returns the receipt of an attempt; null where it is not settled. @param folder of its bench */
export async function settledReceipt(folder: string): Promise<Receipt | null> {
  const receipt = readReceipt((await textOf(path.join(folder, receiptName))) ?? "");
  return receipt.ok ? receipt.value : null;
}

/** Writes a receipt beside the runs it is based on; the receipt itself last. @param folder of its bench */
export async function writeReceipt(
  { receipt, evidence }: { readonly receipt: Receipt; readonly evidence: Evidence },
  folder: string,
  unique: () => string,
): Promise<ReceiptFiles> {
  const pathOf = (name: string) => path.join(folder, name);
  const paths = { receipt: pathOf(receiptName), receiptText: pathOf("receipt.md") };
  await writeFile(pathOf("evidence.json"), `${JSON.stringify(evidence)}\n`, { mode: 0o600 });
  await writeFile(paths.receiptText, receiptToMarkdown(receipt), { mode: 0o600 });
  const bytes = Buffer.from(`${JSON.stringify(receipt, null, 2)}\n`);
  await writeAtomically(paths.receipt, bytes, { files: nodeFiles, unique });
  return paths;
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
