import type { CreateFeature } from "../hooks/feature.ts";
import { succeed } from "../base/result.ts";
import { type LedgerHost, ledgerPart } from "../ledger/ledger-host.ts";
import { serve, type ServeClient } from "../protocol/serve.ts";
import { entriesOfRun } from "./bench-entries.ts";
import { goldenRequests } from "./golden-requests.ts";

export const runsFeature: CreateFeature = (core) => ({
  name: "golden runs",
  serve: [serveRuns(core?.ledger)],
});

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
