import { english } from "../../base/text/english.ts";
import { connectService } from "../../service/client/client.ts";
import { servicePorts } from "../service/service-access.ts";
import type { CliHost } from "../cli-ports.ts";

/** A ledger that is being opened is not waited for longer. Milliseconds. */
const patience = 3000;

/** Why a ledger that is there did not answer; null where it would have answered for other folders than this terminal's. */
export async function withoutLedger(host: CliHost): Promise<string | null> {
  const client = await connectService(servicePorts(host));
  if (!client.ok)
    return client.reason === "not_running"
      ? english("the service does not run; purser service start starts it")
      : client.detail;
  try {
    const late = AbortSignal.timeout(patience);
    const status = await client.value.ask("ledgerStatus", {}, AbortSignal.any([host.signal, late]));
    host.signal.throwIfAborted();
    if (late.aborted) return english("the service is still opening it");
    if (!status.ok) return status.detail;
    const { readOnly, freshness } = status.value;
    if (readOnly !== null)
      return english("it is read-only, and lacks what is new: {saidWhy}", { saidWhy: readOnly });
    return freshness.asOf === null ? english("the service is still reading transcripts into it") : null;
  } finally {
    client.value.dispose();
  }
}
