import { existsSync } from "node:fs";
import { purserPaths } from "../../base/paths.ts";
import type { Result } from "../../base/result.ts";
import { printedJson } from "../../base/text.ts";
import { command } from "../command.ts";
import type { CliHost } from "../cli-ports.ts";
import type { CommandInput, Done } from "../declaration.ts";
import { hasLedger } from "../ledger/ledger-files.ts";
import { usageToJson, type UsageOutcome } from "./usage-outcome.ts";
import { readUsageRequest, usageOptions, type UsageRequest } from "./usage-request.ts";

const loadSlowParts = async () => (await import("../slow-parts.ts")).slowParts;

export const usageCommand = command({
  name: "usage",
  title: "tokens and cost of past sessions",
  words:
    "[--by WHAT] [--since D] [--until D] [--project DIR] [--agent NAME] [--machine NAME] [--fresh] [--json]",
  options: usageOptions,
  notes: `
Answers from the service's ledger if the service runs and has read the transcripts once, else reads them directly. Grouping by what only
the ledger knows starts the service. A response that called several tools is split evenly among them.

Costs are list prices, not what you were charged. Transcripts are found where the agents keep them: CLAUDE_CONFIG_DIR (comma-separated),
else ~/.claude and ~/.config/claude; CODEX_HOME, COPILOT_HOME and GEMINI_CLI_HOME, else their folders in your home.
`,
  run,
});

async function run({ options }: CommandInput, host: CliHost): Promise<Done> {
  const request = readUsageRequest(options, host);
  if (!request.ok) return request;
  const outcome = await gather(request.value, host);
  if (!outcome.ok) return outcome;
  if (request.value.isJson) host.stdout.write(`${printedJson(usageToJson(outcome.value), 2)}\n`);
  else {
    const { printUsage } = await import("./print-usage.ts");
    const names = request.value.by === "session" ? await (await loadSlowParts()).namesOfSessions() : null;
    printUsage(outcome.value, host, (await names?.(host)) ?? new Map());
  }
  return 0;
}

/** Loads only what is needed: asking the service takes less time than loading the code that reads files. */
async function gather(request: UsageRequest, host: CliHost): Promise<Result<UsageOutcome>> {
  const isRunning = existsSync(purserPaths(host).record);
  const { by } = request;
  const isOfFiles = by === "day" || by === "session" || by === "project" || by === "model" || by === "agent";
  // Only the ledger has the usage of other machines.
  const isInFiles = isOfFiles && request.machine === null && !existsSync(purserPaths(host).machines);
  if (isRunning && !request.isFresh) {
    const { askQuickly } = await import("./quick.ts");
    const answer = await askQuickly(request, host);
    if (answer !== undefined) return { ok: true, value: answer };
  }
  if (!isInFiles || (isRunning && request.isFresh)) {
    const ask = await (await loadSlowParts()).askThoroughly();
    const answer = await ask(request, host, { mayStart: !isInFiles });
    if (answer.ok) return answer;
    if (!isInFiles) return await (await (await loadSlowParts()).usageOnDisk())(request, host, answer);
  }
  const read = await (await loadSlowParts()).usageInFiles();
  const outcome = await read(request, host);
  if (!hasLedger(host)) return { ok: true, value: outcome };
  const whyNot = await (await loadSlowParts()).withoutLedger();
  return { ok: true, value: { ...outcome, withoutLedger: await whyNot(host) } };
}
