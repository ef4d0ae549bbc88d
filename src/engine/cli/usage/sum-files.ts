import { purserPaths, KnownProjects } from "../../base/paths.ts";
import { isThere } from "../../base/files.ts";
import { agentRoots, type AgentName } from "../../transcripts/agents.ts";
import type { SkippedRows } from "../../transcripts/records.ts";
import { aggregateUsage, type CountedResponse } from "../../usage/aggregate.ts";
import { builtInCatalogue, type Catalogue } from "../../usage/catalogue.ts";
import { groupings } from "../../usage/sum.ts";
import { localDays } from "../../usage/local-day.ts";
import type { CliHost } from "../cli-ports.ts";
import type { UsageOutcome } from "./usage-outcome.ts";
import type { UsageRequest } from "./usage-request.ts";
import type { FileProblem } from "../../base/result.ts";

export interface FilesRead {
  readonly agent: AgentName;
  /** Each counted once. Can be iterated again. */
  readonly responses: Iterable<CountedResponse>;
  readonly skipped: SkippedRows;
  readonly problems: readonly FileProblem[];
  readonly files: number;
}

interface SumsRequest {
  readonly request: UsageRequest;
  /** Milliseconds since the epoch. */
  readonly asOf: number;
}

export async function sumFiles(
  read: readonly FilesRead[],
  { request, asOf }: SumsRequest,
  host: CliHost,
): Promise<UsageOutcome> {
  const { by, since, until } = request;
  const paths = purserPaths(host);
  const projects = new KnownProjects(paths.projects, () => performance.now());
  const report = aggregateUsage(responsesOf(read, request, projects), {
    // An agent's responses are grouped like a folder's: see `responsesOf`.
    by: groupings.find((grouping) => grouping === by) ?? "project",
    since,
    until,
    dayOf: localDays(),
    catalogue: await catalogueOf(host),
  });
  // A worktree that was found now may be gone the next time.
  if (isThere(paths.folder)) projects.remember([]);
  return {
    request,
    report,
    source: "transcripts",
    asOf,
    roots: agentRoots(host),
    files: read.reduce((sum, { files }) => sum + files, 0),
    problems: read.flatMap(({ problems }) => problems),
    withoutLedger: null,
    skipped: sumOf(read.map(({ skipped }) => skipped)),
  };
}

/** Loads settings only if there are some. */
async function catalogueOf(host: CliHost): Promise<Catalogue> {
  const { settings, windowSettings } = purserPaths(host);
  if (!isThere(settings) && !isThere(windowSettings)) return builtInCatalogue;
  const { withOwnPrices } = await import("./own-prices.ts");
  return withOwnPrices(builtInCatalogue, host);
}

function responsesOf(
  read: readonly FilesRead[],
  { by, project }: UsageRequest,
  projects: KnownProjects,
): Iterable<CountedResponse> {
  const [only] = read;
  // Most people have one agent, and passing on 100,000 responses one by one takes 5 ms.
  if (read.length === 1 && only !== undefined && project === null && by !== "agent" && by !== "project")
    return only.responses;
  return chosenOf(read, { by, project }, projects);
}

function* chosenOf(
  read: readonly FilesRead[],
  { by, project }: Pick<UsageRequest, "by" | "project">,
  projects: KnownProjects,
): Generator<CountedResponse, void> {
  const projectOf = (cwd: string | null) => (cwd === null ? null : projects.of(cwd));
  const wanted = projectOf(project);
  for (const { agent, responses } of read) {
    for (const response of responses) {
      if (wanted !== null && projectOf(response.cwd) !== wanted) continue;
      if (by === "agent") yield { ...response, cwd: agent };
      else yield by === "project" ? { ...response, cwd: projectOf(response.cwd) } : response;
    }
  }
}

function sumOf(parts: readonly SkippedRows[]): SkippedRows {
  const sum = (kind: keyof SkippedRows) => parts.reduce((all, part) => all + part[kind], 0);
  return {
    synthetic: sum("synthetic"),
    unidentified: sum("unidentified"),
    byRow: sum("byRow"),
    malformed: sum("malformed"),
    oversized: sum("oversized"),
  };
}
