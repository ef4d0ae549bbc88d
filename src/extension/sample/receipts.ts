import * as z from "zod";
import { parseJson } from "../../engine/base/parse-json.ts";
import type { StoredJob } from "../../engine/jobs/jobs-store.ts";
import type { LedgerEntry } from "../../engine/ledger/entries/entries-entry.ts";
import { receiptToMarkdown } from "../../engine/verdict/receipt/markdown.ts";
import { receiptSchema, sealReceipt, type Receipt } from "../../engine/verdict/receipt/receipt.ts";
import type { SampleData } from "./data.ts";

const factsOf = receiptSchema.omit({ seal: true });
const sealed = z.looseObject({ seal: z.string() });

/** Seals the sample's receipts anew: their times changed with the moment at which it is opened. Nothing else of them did. */
export function resealReceipts(data: SampleData): SampleData {
  const receipts = new Map<string, Receipt>();
  const entries = data.entries.map((entry): LedgerEntry => {
    if (entry.kind !== "receipt" || !sealed.safeParse(parseJson(entry.json)).success) return entry;
    const receipt = sealReceipt(factsOf.parse(parseJson(entry.json)));
    receipts.set(receipt.id, receipt);
    return { ...entry, json: JSON.stringify(receipt) };
  });
  return { ...data, entries, jobs: data.jobs.map((job) => withReceipts(job, receipts)) };
}

function withReceipts(job: StoredJob, receipts: ReadonlyMap<string, Receipt>): StoredJob {
  const { comparison, selection } = job;
  const anew = <
    Result extends { readonly receipt: { readonly id: string; readonly markdown: string } } | null,
  >(
    result: Result,
  ): Result => {
    const receipt = result === null ? undefined : receipts.get(result.receipt.id);
    if (result === null || receipt === undefined) return result;
    return { ...result, receipt: { ...result.receipt, markdown: receiptToMarkdown(receipt) } };
  };
  return {
    ...job,
    ...(comparison === undefined ? {} : { comparison: { ...comparison, result: anew(comparison.result) } }),
    ...(selection === undefined
      ? {}
      : {
          selection: {
            ...selection,
            rules: selection.rules.map((rule) => ({ ...rule, result: anew(rule.result) })),
            ...(selection.set === undefined
              ? {}
              : { set: { ...selection.set, result: anew(selection.set.result) } }),
          },
        }),
  };
}
