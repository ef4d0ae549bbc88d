import { sentence, type Sentence, compose, plainSentence } from "../../base/language.ts";
import { connectService } from "../../service/client.ts";
import { servicePorts } from "../service/service-access.ts";
import { refusalRemedy, withRefusalRemedy } from "../../base/files.ts";
import { writingRefusal } from "../ledger/ledger-files.ts";
import type { CliHost } from "../cli-ports.ts";

/** Milliseconds. */
const patience = 3000;

/** Null if it would have answered for other folders than this terminal's. */
export async function withoutLedger(
  host: CliHost,
  refusalOf: typeof writingRefusal = writingRefusal,
): Promise<Sentence | null> {
  const ports = servicePorts(host);
  const client = await connectService(ports);
  if (!client.ok)
    return client.reason === "not_running" ? whyNone(ports.home.folder, refusalOf) : client.detail;
  try {
    const late = AbortSignal.timeout(patience);
    const status = await client.value.ask("ledgerStatus", {}, AbortSignal.any([host.signal, late]));
    host.signal.throwIfAborted();
    if (late.aborted) return sentence("the service is still opening it");
    if (!status.ok) return status.detail;
    const { readOnly, freshness } = status.value;
    if (readOnly !== null)
      return sentence("it is read-only, and lacks what is new: {why}", { why: readOnly });
    return freshness.asOf === null ? sentence("the service is still reading transcripts into it") : null;
  } finally {
    client.value.dispose();
  }
}

/** Why no service runs: none can start if purser's folder cannot be written, as on a full disk. */
function whyNone(folder: string, refusalOf: typeof writingRefusal): Sentence {
  const code = refusalOf(folder);
  return code === null || refusalRemedy(plainSentence(code)) === null
    ? sentence("the service does not run; purser service start starts it")
    : sentence("the service cannot start: {why}", {
        why: withRefusalRemedy(compose`${folder}: ${code}`),
      });
}
