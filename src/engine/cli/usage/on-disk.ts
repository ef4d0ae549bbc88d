import type { Failure, Result } from "../../base/result.ts";
import { ledgerItself } from "../../ledger/remedy.ts";
import { agentRoots } from "../../transcripts/agents.ts";
import { isUnserved, readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import type { UsageOutcome } from "./usage-outcome.ts";
import { questionOf } from "./quick.ts";
import type { UsageRequest } from "./usage-request.ts";

/**
 * Returns the usage in the ledger on disk if no service can be asked; the service's failure is among the
 * problems. Without a ledger that failure is the result.
 */
export async function usageOnDisk(
  request: UsageRequest,
  host: CliHost,
  whyNot: Failure,
): Promise<Result<UsageOutcome>> {
  if (!isUnserved(whyNot)) return whyNot;
  const read = await readLedger(host, (ledger) => ledger.ask("usage", questionOf(request)));
  if (!read.ok || read.value === null) return whyNot;
  return {
    ok: true,
    value: {
      request,
      report: read.value,
      source: "ledger",
      asOf: null,
      roots: agentRoots(host),
      files: null,
      problems: [{ path: ledgerItself, reason: whyNot.detail }],
      skipped: null,
      withoutLedger: null,
    },
  };
}
