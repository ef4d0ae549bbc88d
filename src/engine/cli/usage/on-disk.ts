import type { Failure, Result } from "../../base/result.ts";
import { ledgerItself } from "../../ledger/remedy.ts";
import { agentRoots } from "../../transcripts/agents.ts";
import { isUnserved, readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import type { UsageOutcome } from "./usage-outcome.ts";
import { questionOf } from "./quick.ts";
import type { UsageRequest } from "./usage-request.ts";

/** Without a ledger, the service's failure is the result; else it is one of the problems. */
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
