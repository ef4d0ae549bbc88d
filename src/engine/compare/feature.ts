import type { CreateFeature } from "../hooks/feature.ts";
import { errorOfSide } from "../base/confidence.ts";
import { succeed } from "../base/result.ts";
import { type LedgerHost, ledgerPart } from "../ledger/ledger-host.ts";
import { serve, type ServeClient } from "../protocol/serve.ts";
import { readReceipt, type Receipt } from "../verdict/receipt.ts";
import { normalUpperQuantile } from "../verdict/statistics.ts";
import { comparisonRequests } from "./comparison-requests.ts";
import type { LedgerEntry } from "../ledger/entries.ts";

/** Standard errors from the middle of an interval to its end, for a normal distribution. */
const errorsOfHalf = normalUpperQuantile(errorOfSide);

/** Recording them twice changes nothing. `json` is the receipt as sealed, stored byte for byte. */
function comparisonEntries(receipt: Receipt, json: string): LedgerEntry[] {
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
      one: one.label.text,
      other: other.label.text,
      at,
      suiteHash,
      status: verdict.stop ?? "open",
      verdict: verdict.kind,
      decidedAt: at,
      // The receipt counts a saving as positive; here fewer tokens are a negative difference.
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

export function serveComparisons(part: LedgerHost | undefined): ServeClient {
  return serve({
    ...ledgerPart(part),
    requests: comparisonRequests,
    handlers: () => ({
      comparisonRecord: async (ledger, { receipt }) => {
        const read = readReceipt(receipt);
        if (!read.ok) return read;
        const appended = await ledger.append(comparisonEntries(read.value, receipt));
        return appended.ok ? succeed({}) : appended;
      },
    }),
  });
}

export const comparisonFeature: CreateFeature = (core) => ({
  name: "comparisons",
  serve: [serveComparisons(core?.ledger)],
});
