import { sentence } from "../../base/language.ts";
import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { isEvidence, type BenchRun } from "../run-facts.ts";
import { readBench, writeRuns, type StoredBench, type StoredRequest } from "./state.ts";
import { cellKey, orderOf } from "../execute/schedule.ts";

export type MergeFault =
  "not_a_bench" | "not_a_shard" | "not_the_same" | "twice" | "missing" | "exists" | "not_written";

export interface MergedBench {
  readonly folder: string;
  readonly request: StoredRequest;
  /** In the order of the whole schedule. */
  readonly runs: readonly BenchRun[];
}

/**
 * Merges the shards of a bench, on whichever machines they were made. They must be complete and of the same request: suite,
 * configurations, tasks, driver and seed. Nothing is written unless all checks pass; the shards stay as they are.
 *
 * @param folders the shards' folders
 * @param into the folder of benches: the merged bench gets a folder there, named by its id
 */
export async function mergeBenches(
  folders: readonly string[],
  into: string,
): Promise<Result<MergedBench, MergeFault>> {
  const shards: Shard[] = [];
  for (const folder of folders) {
    const read = await readBench(folder);
    if (!read.ok) return fail("not_a_bench", read.detail);
    if (read.value === null) return fail("not_a_bench", sentence("{0} has no bench", folder));
    if (read.value.request.shard === null)
      return fail("not_a_shard", sentence("{0} has a whole bench", folder));
    shards.push({ ...read.value, folder, shard: read.value.request.shard });
  }
  const problem = whatIsWrong(shards);
  if (problem !== null) return problem;
  const [first] = shards;
  if (first === undefined) return fail("missing", sentence("No shards are named"));
  const request = { ...first.request, shard: null };
  return await write(shards, request, path.join(into, request.id));
}

interface Shard extends StoredBench {
  readonly folder: string;
  readonly shard: NonNullable<StoredRequest["shard"]>;
}

function whatIsWrong(shards: readonly Shard[]) {
  const [first] = shards;
  if (first === undefined) return fail("missing", sentence("No shards are named"));
  for (const { folder, request, shard } of shards) {
    const isSame =
      request.hash === first.request.hash &&
      request.id === first.request.id &&
      request.runs === first.request.runs &&
      shard.of === first.shard.of;
    if (!isSame)
      return fail("not_the_same", sentence("{0} is a part of another bench than {1}", folder, first.folder));
  }
  const indices = shards.map(({ shard }) => shard.index);
  const twice = indices.find((index, position) => indices.indexOf(index) !== position);
  if (twice !== undefined)
    return fail("twice", sentence("Shard {0} of {1} is named twice", twice, first.shard.of));
  const all = Array.from({ length: first.shard.of }, (_, index) => index + 1);
  const missing = all.filter((index) => !indices.includes(index));
  if (missing.length > 0)
    return fail("missing", sentence("Shard {0} of {1} is missing", missing.join(", "), first.shard.of));
  const seen = new Map<string, string>();
  for (const { folder, runs } of shards)
    for (const run of runs.filter(isEvidence)) {
      const other = seen.get(cellKey(run));
      if (other !== undefined)
        return fail("twice", sentence("{0} is in {1} and in {2}", run.id, other, folder));
      seen.set(cellKey(run), folder);
    }
  return null;
}

/** Builds the bench in a draft folder and moves it into place. */
async function write(
  shards: readonly Shard[],
  request: StoredRequest,
  target: string,
): Promise<Result<MergedBench, MergeFault>> {
  const order = orderOf(request.seed);
  const draft = `${target}.merging`;
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(path.join(draft, "trajectories"), { recursive: true, mode: 0o700 });
    const moved: BenchRun[] = [];
    for (const { runs, folder } of shards)
      for (const run of runs) moved.push(await moveTrajectory(run, folder, draft, target));
    const runs = moved.toSorted(order);
    await writeFile(path.join(draft, "bench.json"), `${JSON.stringify(request, null, 1)}\n`, { mode: 0o600 });
    await writeRuns(draft, runs);
    await rename(draft, target);
    return succeed({ folder: target, request, runs });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "EPERM")
      return fail("exists", sentence("{0} is there already", target));
    return fail("not_written", sentence("{0} cannot be written ({1})", target, code));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Copies a run's trajectory by its name from the shard's folder: a shard from another machine has that machine's paths. */
async function moveTrajectory(run: BenchRun, from: string, draft: string, target: string): Promise<BenchRun> {
  if (run.trajectory === null) return run;
  const name = run.trajectory.split(/[\\/]/u).at(-1) ?? "";
  try {
    await copyFile(path.join(from, "trajectories", name), path.join(draft, "trajectories", name));
    return { ...run, trajectory: path.join(target, "trajectories", name) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { ...run, trajectory: null };
    throw error;
  }
}
