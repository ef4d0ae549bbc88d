import { succeed, type Result } from "../../base/result.ts";
import type { BenchRun } from "../../bench/run-facts.ts";
import { ensureService } from "../../service/client/ensure.ts";
import type { CliHost } from "../ports.ts";
import { servicePorts } from "../service/access.ts";

/** Runs per message, so that no message is too large. */
const atOnce = 50;

/**
 * Records runs that were made elsewhere in the ledger; runs it already has are not duplicated. Resolves when
 * they are durable.
 */
export async function recordRuns(runs: readonly BenchRun[], host: CliHost): Promise<Result<undefined>> {
  const client = await ensureService({ ...servicePorts(host), signal: host.signal });
  if (!client.ok) return client;
  try {
    for (let from = 0; from < runs.length; from += atOnce) {
      const answer = await client.value.ask("goldenRecord", { runs: runs.slice(from, from + atOnce) });
      if (!answer.ok) return answer;
    }
    return succeed(undefined);
  } finally {
    client.value.dispose();
  }
}
