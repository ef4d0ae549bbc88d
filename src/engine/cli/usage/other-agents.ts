import { isThere } from "../../base/files.ts";
import { agents } from "../../transcripts/agents.ts";
import type { CountedResponse, UsageRecord } from "../../usage/aggregate.ts";
import type { CliHost } from "../cli-ports.ts";
import type { FilesRead } from "./sum-files.ts";

/** Loads a reader only if its agent has stored something. */
export async function readOthers(host: CliHost): Promise<FilesRead[]> {
  const others = agents
    .map(({ name, roots, usageReader }) => ({ name, folders: roots(host), usageReader }))
    .filter(({ folders }) => folders.some(isThere));
  const read: FilesRead[] = [];
  for (const { name, folders, usageReader } of others) {
    if (usageReader === null) continue;
    const { records, malformed, oversized, problems, files } = (await usageReader()).readUsage(folders);
    const skipped = { synthetic: 0, unidentified: 0, byRow: 0, malformed, oversized };
    read.push({ agent: name, problems, responses: records.map(responseOf), skipped, files });
  }
  return read;
}

function responseOf({ model, at, usage, sessionId, cwd, terms }: UsageRecord): CountedResponse {
  return { model: model ?? "unknown", at, usage, sessionId, cwd, terms };
}
