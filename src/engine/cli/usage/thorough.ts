import { sentence } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { ensureService } from "../../service/ensure.ts";
import { connectService, type ServiceClient } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";
import { catchUp } from "../ledger/catch-up.ts";
import { hasOtherSources, outcomeOf, questionOf } from "./quick.ts";
import { servicePorts } from "../service/service-access.ts";
import type { UsageOutcome } from "./usage-outcome.ts";
import type { UsageRequest } from "./usage-request.ts";

/** Waits until the service has read everything. Throws the signal's reason when the user interrupts. */
export async function askThoroughly(
  request: UsageRequest,
  host: CliHost,
  { mayStart }: { mayStart: boolean },
): Promise<Result<UsageOutcome>> {
  const ports = { ...servicePorts(host), signal: host.signal };
  const client = await (mayStart ? ensureService(ports) : connectService(ports));
  host.signal.throwIfAborted();
  if (!client.ok) return client;
  try {
    return await ask(client.value, request, host);
  } finally {
    client.value.dispose();
  }
}

async function ask(
  client: ServiceClient,
  request: UsageRequest,
  host: CliHost,
): Promise<Result<UsageOutcome>> {
  const read = await catchUp(client, request, host);
  host.signal.throwIfAborted();
  if (!read.ok) return read;
  const answer = await client.ask("usage", questionOf(request), host.signal);
  host.signal.throwIfAborted();
  if (!answer.ok) return answer;
  if (hasOtherSources(answer.value, host)) {
    const roots = answer.value.places.map((root) => cleanText(root)).join(", ");
    return fail(
      "elsewhere",
      sentence(
        "the service uses another time zone or other folders than this terminal: {0}; restart it with this terminal's: purser service restart",
        roots,
      ),
    );
  }
  return succeed(outcomeOf(answer.value, request));
}
