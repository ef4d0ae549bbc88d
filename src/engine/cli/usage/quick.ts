import { agentRoots } from "../../transcripts/agents.ts";
import type { UsageAnswer, UsageQuestion } from "../../ledger/ledger-requests.ts";
import { purserPaths } from "../../base/paths.ts";
import { readUsageAnswer, quickAsk } from "../../service/quick-ask.ts";
import type { CliHost } from "../cli-ports.ts";
import type { UsageOutcome } from "./usage-outcome.ts";
import type { UsageRequest } from "./usage-request.ts";

/** A slower ledger is just being opened or filled, and reading the files may be faster. Milliseconds. */
const patience = 3000;

/** Undefined without a service, or while its ledger is incomplete. */
export async function askQuickly(request: UsageRequest, host: CliHost): Promise<UsageOutcome | undefined> {
  const reply = await quickAsk({
    home: purserPaths(host),
    version: host.version(),
    method: "usage",
    params: questionOf(request),
    within: patience,
  });
  const answer = readUsageAnswer(reply);
  if (answer?.freshness.asOf === undefined || answer.freshness.asOf === null) return undefined;
  return hasOtherSources(answer, host) ? undefined : outcomeOf(answer, request);
}

export function questionOf({ by, since, until, project, agent, machine }: UsageRequest): UsageQuestion {
  return { by, since, until, project, program: agent, machine };
}

/** True when the service was started with other agent folders, or in another time zone. */
export function hasOtherSources({ places: paths, zoneOffset }: UsageAnswer, host: CliHost): boolean {
  if (zoneOffset !== new Date(host.now()).getTimezoneOffset()) return true;
  const own = new Set(agentRoots(host));
  return own.size !== new Set(paths).size || !paths.every((root) => own.has(root));
}

export function outcomeOf(
  { report, places: paths, freshness }: UsageAnswer,
  request: UsageRequest,
): UsageOutcome {
  return {
    request,
    report,
    source: "ledger",
    asOf: freshness.asOf,
    roots: paths,
    files: null,
    problems: freshness.problems,
    skipped: null,
    withoutLedger: null,
  };
}
