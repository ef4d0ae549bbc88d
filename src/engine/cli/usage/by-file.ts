import { isThere } from "../../base/disk/stats-of.ts";
import { claudeRoots } from "../../transcripts/claude/roots.ts";
import { findTranscripts } from "../../transcripts/claude/files.ts";
import { scanTranscripts } from "../../transcripts/scan/scan.ts";
import { agents } from "../../transcripts/agents.ts";
import type { UsageRecord } from "../../usage/agent-record.ts";
import type { CountedResponse } from "../../usage/aggregate.ts";
import type { CliHost } from "../ports.ts";
import type { FilesRead } from "./files-read.ts";
import type { UsageOutcome } from "./outcome.ts";
import type { UsageRequest } from "./request.ts";

/** Reads all transcripts of all agents in this process: the same sums as the ledger's. */
export async function usageInFiles(request: UsageRequest, host: CliHost): Promise<UsageOutcome> {
  const asOf = host.now();
  const { agent } = request;
  // The threads that read start while the rest of the code is loaded.
  const [claude, { sumFiles }] = await Promise.all([
    agent === null || agent === "claude-code" ? readClaude(host) : null,
    import("./sum-files.ts"),
  ]);
  const others = agent === "claude-code" ? [] : await readOthers(host);
  const read = [...(claude === null ? [] : [claude]), ...others];
  return await sumFiles(
    read.filter((each) => agent === null || each.agent === agent),
    { request, asOf },
    host,
  );
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
