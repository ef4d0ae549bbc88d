import { succeed } from "../base/result.ts";
import { ledgerPart } from "../ledger/host/serve-ledger.ts";
import type { LedgerHost } from "../ledger/host/host.ts";
import { serve, type ServeClient } from "../protocol/serve.ts";
import { readReceipt } from "../verdict/receipt/receipt.ts";
import { comparisonEntries } from "./comparison-entries.ts";
import { comparisonRequests } from "./comparison-requests.ts";

/**
 * Records settled comparisons for clients.
 * @param part undefined where a service has no ledger
 */
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
