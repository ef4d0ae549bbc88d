import { claudeRoots, findTranscripts } from "../../transcripts/claude.ts";
import { ScanThreads } from "../../transcripts/records.ts";
import type { CliHost } from "../cli-ports.ts";
import type { FilesRead } from "./sum-files.ts";
import type { UsageOutcome } from "./usage-outcome.ts";
import type { UsageRequest } from "./usage-request.ts";

/** The same sums as the ledger's. */
export async function usageInFiles(request: UsageRequest, host: CliHost): Promise<UsageOutcome> {
  const asOf = host.now();
  const { agent } = request;
  const isClaude = agent === null || agent === "claude-code";
  const { reading } = isClaude ? await startReading(host) : { reading: null };
  const [claude, { sumFiles }, others] = await Promise.all([
    reading,
    // Loaded while the threads that read start.
    import("./sum-files.ts"),
    agent === "claude-code" ? [] : readOthers(host),
  ]);
  const read = [...(claude === null ? [] : [claude]), ...others];
  return await sumFiles(
    read.filter((each) => agent === null || each.agent === agent),
    { request, asOf },
    host,
  );
}

async function startReading({
  env,
  home,
  scanWorker,
  signal,
}: CliHost): Promise<{ reading: Promise<FilesRead> }> {
  const threads = new ScanThreads(scanWorker);
  let bytes = 0;
  const found = findTranscripts(claudeRoots({ env, home }), ({ size }) => {
    bytes += size;
    threads.startFor(bytes);
  });
  const { scanTranscripts } = await import("../../transcripts/scan.ts");
  const scanning = scanTranscripts({ files: found.files, threads, signal });
  return {
    reading: scanning.then(({ responses, skipped, files, problems }) => ({
      agent: "claude-code",
      responses,
      skipped,
      files,
      problems: [...found.problems, ...problems],
    })),
  };
}

async function readOthers(host: CliHost): Promise<FilesRead[]> {
  const others = await import("./other-agents.ts");
  return await others.readOthers(host);
}
