import type { FilesRead } from "./files-read.ts";
import { isThere } from "../../base/disk/stats-of.ts";
import { claudeRoots } from "../../transcripts/claude/roots.ts";
import { findTranscripts } from "../../transcripts/claude/files.ts";
import { scanTranscripts } from "../../transcripts/scan/scan.ts";
import type { SkippedRows } from "../../transcripts/scan/unit-scanner.ts";
import { aggregateUsage, type CountedResponse } from "../../usage/aggregate.ts";
import { builtInCatalogue } from "../../usage/catalogue.ts";
import { withOverrides } from "../../usage/catalogue-overrides.ts";
import { groupings } from "../../usage/groupings.ts";
import { localDays } from "../../usage/local-day.ts";
import { agentRoots, agents } from "../../transcripts/agents.ts";
import type { UsageRecord } from "../../usage/agent-record.ts";
import type { CliHost } from "../ports.ts";
import { settingsStore } from "../settings-access.ts";
import type { UsageOutcome } from "./outcome.ts";
import type { UsageRequest } from "./request.ts";
import { said } from "../language/said.ts";

/** Reads all transcripts of all agents in this process: the same sums as the ledger's. */
export async function usageInFiles(request: UsageRequest, host: CliHost): Promise<UsageOutcome> {
  const asOf = host.now();
  const settings = settingsStore(host, (message) => void host.stderr.write(`${said(message)}\n`));
  const { by, since, until, agent } = request;
  const read = [
    ...(agent === null || agent === "claude-code" ? [await readClaude(host)] : []),
    ...(agent === "claude-code" ? [] : await readOthers(host)),
  ].filter((each) => agent === null || each.agent === agent);
  const report = aggregateUsage(responsesOf(read, request), {
    // An agent's responses are grouped like a folder's: see `responsesOf`.
    by: groupings.find((grouping) => grouping === by) ?? "project",
    since,
    until,
    dayOf: localDays(),
    // The same prices as the ledger's.
    catalogue: withOverrides(builtInCatalogue, settings.now().models).catalogue,
  });
  return {
    request,
    report,
    source: "transcripts",
    asOf,
    roots: agentRoots(host),
    files: read.reduce((sum, { files }) => sum + files, 0),
    problems: read.flatMap(({ problems }) => problems),
    skipped: sumOf(read.map(({ skipped }) => skipped)),
  };
}

async function readClaude({ env, home, scanWorker, signal }: CliHost): Promise<FilesRead> {
  const found = findTranscripts(claudeRoots({ env, home }));
  const scan = await scanTranscripts({ files: found.files, workerPath: scanWorker, signal });
  const { responses, skipped, files } = scan;
  return { agent: "claude-code", responses, skipped, files, problems: [...found.problems, ...scan.problems] };
}

/** Loads the other agents' readers only where one of them has stored something. */
async function readOthers(host: CliHost): Promise<FilesRead[]> {
  const others = agents
    .map(({ name, roots, usageReader }) => ({ name, folders: roots(host), usageReader }))
    .filter(({ folders }) => folders.some(isThere));
  const read: FilesRead[] = [];
  for (const { name, folders, usageReader } of others) {
    if (usageReader === null) continue;
    const { records, malformed, oversized, problems, files } = (await usageReader()).readUsage(folders);
    const skipped = { synthetic: 0, unidentified: 0, malformed, oversized };
    read.push({ agent: name, problems, responses: records.map(responseOf), skipped, files });
  }
  return read;
}

function responseOf({ model, at, usage, sessionId, cwd }: UsageRecord): CountedResponse {
  return { model: model ?? "unknown", at, usage, sessionId, cwd };
}

function* responsesOf(
  read: readonly FilesRead[],
  { by, project }: UsageRequest,
): Generator<CountedResponse, void> {
  for (const { agent, responses } of read) {
    for (const response of responses) {
      if (project !== null && response.cwd !== project) continue;
      yield by === "agent" ? { ...response, cwd: agent } : response;
    }
  }
}

function sumOf(parts: readonly SkippedRows[]): SkippedRows {
  const sum = (kind: keyof SkippedRows) => parts.reduce((all, part) => all + part[kind], 0);
  return {
    synthetic: sum("synthetic"),
    unidentified: sum("unidentified"),
    malformed: sum("malformed"),
    oversized: sum("oversized"),
  };
}
