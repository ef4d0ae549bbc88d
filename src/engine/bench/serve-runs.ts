import { succeed } from "../base/result.ts";
import { ledgerPart } from "../ledger/host/serve-ledger.ts";
import type { LedgerHost } from "../ledger/host/ledger-host.ts";
import { serve, type ServeClient } from "../protocol/serve.ts";
import { entriesOfRun } from "./bench-entries.ts";
import { goldenRequests } from "./golden-requests.ts";

/**
 * Records golden runs for clients.
 * @param part undefined where a service has no ledger
 */
export function serveRuns(part: LedgerHost | undefined): ServeClient {
  return serve({
    ...ledgerPart(part),
    requests: goldenRequests,
    handlers: () => ({
      goldenRecord: async (ledger, { runs }) => {
        const appended = await ledger.append(runs.flatMap(entriesOfRun));
        return appended.ok ? succeed({}) : appended;
      },
    }),
  });
}
