import * as z from "zod";
import { succeed, type Result } from "../base/result.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import type { Evidence } from "../verdict/pool.ts";
import type { Receipt } from "../verdict/receipt.ts";
import { readRules, type RulesLedger } from "./rules-ledger.ts";
import { evidenceShape } from "./rules-protocol.ts";

/** What a receipt rests on is kept beside it, under its id and this: the samples, to be pooled with later ones. */
const suffix = ":evidence";
const kept = z.object({ evidence: evidenceShape });

/** @param json the receipt as it was sealed: it is kept to the byte */
export function receiptEntries(receipt: Receipt, json: string, evidence: Evidence): LedgerEntry[] {
  const { id, at, verdict, subject } = receipt;
  const about = { subjectId: subject.id, at, verdict: verdict.kind };
  return [
    { kind: "receipt", id, subject: "rule", ...about, json },
    {
      kind: "receipt",
      id: `${id}${suffix}`,
      subject: "evidence",
      ...about,
      json: JSON.stringify({ evidence }),
    },
  ];
}

/** All that was measured of an agent's rules. */
export async function evidenceOf(ledger: RulesLedger, agent: string): Promise<Result<Evidence[]>> {
  const known = await readRules(ledger);
  if (!known.ok) return known;
  const own = new Set(known.value.rules.filter((rule) => rule.agent === agent).map(({ id }) => id));
  const found: Evidence[] = [];
  for (const { id, subject, subjectId } of known.value.book.receipts) {
    if (subject !== "evidence" || !own.has(subjectId)) continue;
    const json = await ledger.receipt(id);
    if (!json.ok) return json;
    const read = kept.safeParse(JSON.parse(json.value ?? "null"));
    if (read.success) found.push(read.data.evidence);
  }
  return succeed(found);
}
