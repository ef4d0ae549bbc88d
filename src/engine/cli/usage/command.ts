import { existsSync } from "node:fs";
import { purserPaths } from "../../base/disk/home.ts";
import type { Result } from "../../base/result.ts";
import { printedJson } from "../../base/text/printed-json.ts";
import type { CliHost, Command } from "../cli-ports.ts";
import { hasLedger } from "../ledger/ledger-files.ts";
import { dayForms } from "../day-argument.ts";
import { usageToJson, type UsageOutcome } from "./usage-outcome.ts";
import { agentForms, parseUsageRequest, usageSpecs, type UsageRequest } from "./usage-request.ts";
import { usageError } from "../subcommands.ts";
import { printHelp } from "../help.ts";
import { said } from "../language/said.ts";

const help = `purser usage: tokens and cost of past sessions

  purser usage [--by WHAT] [--since D] [--until D] [--project DIR] [--agent NAME] [--fresh] [--json]

  --by WHAT      group by day, session, project, model or agent, or by what only the ledger knows: branch, subagent, tool,
                 skill or server (MCP) (default: day)
  --since D      only responses since this local day: ${dayForms}
  --until D      only responses up to this local day
  --project DIR  only responses in this folder
  --agent NAME   only this agent: ${agentForms}
  --fresh        have the service read everything written so far first
  --json         print JSON (schema: media/schemas/usage.schema.json)
  --help         print this help

Answers from the service's ledger if the service runs and has read the transcripts once, else reads them directly. Grouping by what only
the ledger knows starts the service. A response that called several tools is split evenly among them.

Costs are list prices, not what you were charged. Transcripts are found where the agents keep them: CLAUDE_CONFIG_DIR (comma-separated),
else ~/.claude and ~/.config/claude; CODEX_HOME, COPILOT_HOME and GEMINI_CLI_HOME, else their folders in your home.
`;

const loadSlowParts = async () => (await import("../slow-parts.ts")).slowParts;

export const usageCommand: Command = { help, syntax: { options: usageSpecs }, run };

async function run(argv: readonly string[], host: CliHost): Promise<number> {
  const request = parseUsageRequest(argv, host);
  if (!request.ok) return usageError("usage", request.detail, host);
  if (request.value === "help") {
    printHelp(help, host);
    return 0;
  }
  const outcome = await gather(request.value, host);
  if (!outcome.ok) {
    host.stderr.write(`purser usage: ${said(outcome.detail)}\n`);
    return 1;
  }
  if (request.value.isJson) host.stdout.write(`${printedJson(usageToJson(outcome.value), 2)}\n`);
  else {
    const { printUsage } = await import("./print-usage.ts");
    printUsage(outcome.value, host);
  }
  return 0;
}

/** Loads only what is needed: asking the service takes less time than loading the code that reads the files. */
async function gather(request: UsageRequest, host: CliHost): Promise<Result<UsageOutcome>> {
  const isRunning = existsSync(purserPaths(host).record);
  const { by } = request;
  const isInFiles = by === "day" || by === "session" || by === "project" || by === "model" || by === "agent";
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
