import type { LedgerEntry } from "../ledger/entries/entry.ts";
import type { Receipt } from "../verdict/receipt/receipt.ts";

/** Standard errors from the middle of an interval to its end: of a normal distribution, at a level of 95 %. */
const errorsOfHalf = 1.96;

/**
 * What the ledger is told of a comparison that is settled: its row, and the receipt it rests on. Told twice it changes nothing.
 * @param json the receipt as it was sealed: it is kept to the byte
 */
export function comparisonEntries(receipt: Receipt, json: string): LedgerEntry[] {
  const { id, at, agent, subject, sides, verdict, suiteHash } = receipt;
  const [one, other] = sides;
  const [passedOne, passedOther] = verdict.passed;
  const { saving } = verdict;
  return [
    {
      kind: "comparison",
      id,
      agent,
      subject: subject.kind,
      one: one.label,
      other: other.label,
      at,
      suiteHash,
      status: verdict.stop ?? "open",
      verdict: verdict.kind,
      decidedAt: at,
      // A saving is a positive figure of the receipt, and less tokens than before here.
      deltaTokens: saving === null ? null : -saving.value,
      standardError: saving === null ? null : (saving.high - saving.low) / 2 / errorsOfHalf,
      runsOne: passedOne.runs,
      runsOther: passedOther.runs,
      passedOne: passedOne.passed,
      passedOther: passedOther.passed,
    },
    { kind: "receipt", id, subject: subject.kind, subjectId: subject.id, at, verdict: verdict.kind, json },
  ];
}
