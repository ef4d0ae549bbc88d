import { plainSentence } from "../../src/engine/base/language.ts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { TestContext } from "node:test";
import type { LedgerEntry } from "../../src/engine/ledger/entries/entries-entry.ts";
import { jobStore, type StoredJob } from "../../src/engine/jobs/jobs-store.ts";
import type { SampleData } from "../../src/extension/sample/unpack.ts";
import {
  agentFiles,
  claudeFolder,
  trySession,
  tryTranscript,
  workspace,
  type SampleFile,
} from "./agent-files.ts";
import { moment } from "./clock.ts";
import { comparedCompaction } from "./compaction.ts";
import { guardedCalls } from "./guarded.ts";
import { history } from "./history.ts";
import { storyHome, type StoryHome } from "./home.ts";
import { tell } from "./story.ts";
import { recurringFiles, recurringWork } from "./wakes.ts";

/** Turns are kept of the benches' runs, and of the first rounds of a comparison: the rest would not fit. */
const keptRounds = 1;

/** Tells the story, and returns everything that the sample consists of. */
export async function makeSample(t: Pick<TestContext, "after">): Promise<SampleData> {
  const home = await storyHome(t);
  const newest = await agentFiles();
  const past = [...withGuards(history()), ...recurringWork(), await comparedCompaction(t, newest)];
  const appended = await home.append(past);
  if (!appended.ok) throw new Error(appended.detail.text);
  await tell(home, (turns, finding) => ({
    kind: "run",
    sessionId: trySession,
    transcript: tryTranscript,
    finding: plainSentence(finding),
    turns: [...turns],
  }));
  const jobs = storedJobs(home);
  const files = [...newest, ...recurringFiles, ...(await memoryFiles(home)), ...definitions(home)];
  const { kept, trajectories } = await withTrajectories(jobs, home);
  return {
    version: 1,
    moment,
    workspace,
    claude: claudeFolder,
    files: [...files, ...trajectories],
    entries: home.entries.filter((entry) => !isOfBench(entry)),
    jobs: kept,
  };
}

function withGuards(past: readonly LedgerEntry[]): LedgerEntry[] {
  return [...past, ...guardedCalls(past)];
}

/** Entries of runs follow from the jobs. */
function isOfBench(entry: LedgerEntry): boolean {
  return entry.kind === "baseline" || (entry.kind === "run" && (entry.benchId ?? null) !== null);
}

function storedJobs({ benches }: StoryHome): readonly StoredJob[] {
  return jobStore(benches, (message) => {
    throw new Error(message.text);
  }).load();
}

async function withTrajectories(jobs: readonly StoredJob[], { benches }: StoryHome) {
  const trajectories: SampleFile[] = [];
  const kept: StoredJob[] = [];
  for (const job of jobs) {
    const runs: StoredJob["runs"] = [];
    for (const run of job.runs) {
      const { trajectory, benchId } = run;
      const isKept = trajectory !== null && job.ask.kind !== "select" && run.round <= keptRounds;
      if (!isKept) runs.push({ ...run, trajectory: null });
      else {
        const own = path.relative(path.join(benches, benchId), trajectory).replaceAll(path.sep, "/");
        runs.push({ ...run, trajectory: own });
        trajectories.push([`purser/bench/${benchId}/${own}`, await readFile(trajectory, "utf8")]);
      }
    }
    kept.push({ ...job, runs });
  }
  return { kept, trajectories };
}

/** The memory that the story's rules were written into. */
async function memoryFiles({ root }: StoryHome): Promise<SampleFile[]> {
  const file = "agent-memory/backend/MEMORY.md";
  return [[`claude/${file}`, await readFile(path.join(root, file), "utf8")]];
}

/** The agents that have rules, as the sample's Claude Code knows them. */
function definitions({ suite }: StoryHome): SampleFile[] {
  return suite.agents
    .filter(({ name }) => name === "backend" || name === "testing")
    .map(({ name, definition }) => [`claude/agents/${name}.md`, definition]);
}
