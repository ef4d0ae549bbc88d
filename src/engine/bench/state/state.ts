import { sentence } from "../../base/language.ts";
import { open, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import { writeAtomically, isLeftover, textIfThere, nodeFiles } from "../../base/files.ts";
import { readJson } from "../../base/parse.ts";
import { takeLock, type HeldLock } from "../../base/lock.ts";
import { fail, succeed, type Failure, type Result } from "../../base/result.ts";
import {
  type BenchRequest,
  type BenchPorts,
  type BenchFault,
  benchFolderName,
  isBenchId,
  requestHash,
} from "../bench-request.ts";
import { benchRunSchema, driverNames, type BenchRun } from "../run-facts.ts";
import { configurationSchema } from "../configuration.ts";
import { fixturesOf } from "../suite/suite.ts";
import type { StoredTrajectory } from "./stored-trajectory.ts";

/**
 * A bench in its folder, `<purser home>/bench/<id>`:
 * - `bench.json`: the request, written once;
 * - `runs.ndjson`: one run per line, appended and flushed as each ends;
 * - `trajectories/`: what each run did (`stored-trajectory.ts`);
 * - `bench.N.lock`: held by the process that makes runs.
 */

const hash = z.string().check(z.maxLength(200));
const whole = z.int().check(z.positive());

const storedRequest = z.object({
  format: z.literal(1),
  id: z.string(),
  /** Covers everything that decides a run's outcome. */
  hash,
  configurations: z.array(configurationSchema).check(z.minLength(1)),
  /** In the order of the suite. */
  tasks: z.array(
    z.object({
      id: z.string().check(z.maxLength(200)),
      agent: z.string().check(z.maxLength(200)),
      /** The folder that it begins with, if it has one of its own. */
      fixture: z.optional(z.string()),
    }),
  ),
  runs: whole,
  driver: z.enum(driverNames),
  seed: z.int(),
  parallel: whole,
  tokenCap: z.nullable(whole),
  shard: z.nullable(z.object({ index: whole, of: whole })),
  design: z.optional(z.enum(["pairs", "arms"])),
  suite: z.object({
    origin: z.enum(["built-in", "workspace"]),
    folder: z.string(),
    /** Absent if each task has its own. */
    fixture: z.optional(z.string()),
    installScripts: z.boolean(),
  }),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
/**
 * A bench's request as stored in its folder. The suite is stored as a reference: it is loaded again, and must be the same.
 */
export type StoredRequest = z.infer<typeof storedRequest>;

export interface StoredBench {
  readonly request: StoredRequest;
  /** In the order they ended. */
  readonly runs: readonly BenchRun[];
}

const [requestFile, runsFile, lockName, trajectoriesFolder] = [
  "bench.json",
  "runs.ndjson",
  "bench",
  "trajectories",
];

/** Reads a bench without taking its lock; null if there is none. */
export async function readBench(folder: string): Promise<Result<StoredBench | null, "damaged">> {
  const text = await textIfThere(path.join(folder, requestFile));
  if (text === null) return succeed(null);
  const request = readJson(storedRequest, text);
  if (request === null)
    return fail("damaged", sentence("{0} cannot be read", path.join(folder, requestFile)));
  const lines = wholeLines((await textIfThere(path.join(folder, runsFile))) ?? "");
  const runs = lines.map((line) => readJson(benchRunSchema, line));
  const broken = runs.indexOf(null);
  if (broken >= 0)
    return fail(
      "damaged",
      sentence("line {0} of {1} cannot be read", broken + 1, path.join(folder, runsFile)),
    );
  return succeed({
    request,
    runs: runs.filter((run) => run !== null),
  });
}

/** Drops a last line that was not completely written: its run is made again. */
function wholeLines(text: string): string[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "");
}

type StatePorts = Pick<BenchPorts, "clock" | "unique" | "folder" | "pid" | "machine">;

export class BenchState {
  readonly folder: string;
  readonly #lock: HeldLock;
  readonly #ports: StatePorts;
  #runs: BenchRun[];
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, lock: HeldLock, runs: readonly BenchRun[], ports: StatePorts) {
    this.folder = folder;
    this.#lock = lock;
    this.#ports = ports;
    this.#runs = [...runs];
  }

  /** Creates the folder, or resumes the bench in it if its request is the same. */
  static async open(request: BenchRequest, ports: StatePorts): Promise<Result<BenchState, BenchFault>> {
    if (!isBenchId(request.id)) return fail("bad_request", sentence("{0} is no id of a bench", request.id));
    const folder = path.join(ports.folder, benchFolderName(request.id, request.shard));
    await nodeFiles.makeFolder(path.join(folder, trajectoriesFolder));
    const lock = await takeLock({ folder, name: lockName, older: "lock" }, { ...ports, files: nodeFiles });
    if (!lock.ok)
      return fail(
        "in_use",
        sentence("Another process is running the benchmark {id}: {why}", {
          id: request.id,
          why: lock.detail,
        }),
      );
    const opened = await prepare(folder, request, ports);
    if (opened.ok) return succeed(new BenchState(folder, lock.value, opened.value, ports));
    await lock.value.release();
    return opened;
  }

  /** In the order they ended. */
  get runs(): readonly BenchRun[] {
    return this.#runs;
  }

  async writeTrajectory(run: Pick<BenchRun, "id">, trajectory: StoredTrajectory): Promise<string> {
    const name = run.id.replaceAll(/[^\w.-]/gu, "-");
    const file = path.join(this.folder, trajectoriesFolder, `${name}.json`);
    await this.#write(file, `${JSON.stringify(trajectory)}\n`);
    return file;
  }

  /** Appends a run; resolves when it is on the disk. */
  async add(run: BenchRun): Promise<void> {
    const written = this.#writing.then(() =>
      appendLine(path.join(this.folder, runsFile), JSON.stringify(run)),
    );
    this.#writing = written;
    await written;
    this.#runs = [...this.#runs, run];
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#lock.release();
  }

  async #write(file: string, text: string): Promise<void> {
    await writeAtomically(file, Buffer.from(text), { files: nodeFiles, unique: this.#ports.unique });
  }
}

async function prepare(
  folder: string,
  request: BenchRequest,
  ports: StatePorts,
): Promise<Result<readonly BenchRun[], BenchFault>> {
  await removeTemporary(folder);
  const stored = await readBench(folder);
  if (!stored.ok) return stored;
  if (stored.value === null) {
    await writeAtomically(path.join(folder, requestFile), Buffer.from(writtenRequest(request, ports)), {
      files: nodeFiles,
      unique: ports.unique,
    });
    return succeed([]);
  }
  const other = otherThan(stored.value.request, request);
  if (other !== null) return other;
  await dropTornLine(path.join(folder, runsFile));
  return succeed(stored.value.runs);
}

async function removeTemporary(folder: string): Promise<void> {
  for (const each of [folder, path.join(folder, trajectoriesFolder)])
    for (const name of await nodeFiles.list(each))
      if (isLeftover(name)) await nodeFiles.remove(path.join(each, name));
}

function writtenRequest(request: BenchRequest, { clock }: StatePorts): string {
  const { id, configurations, taskIds, runs, driver, seed, parallel, tokenCap, shard, design, suite } =
    request;
  const { origin, folder, fixture } = suite;
  const stored: StoredRequest = {
    format: 1,
    id,
    hash: requestHash(request),
    configurations: configurations.map((each) => ({ ...each, overlay: [...each.overlay] })),
    tasks: suite.tasks
      .filter(({ id: task }) => taskIds.includes(task))
      .map(({ id: task, agent, fixture: own }) => ({
        id: task,
        agent,
        ...(own === null ? {} : { fixture: own.folder }),
      })),
    runs,
    driver,
    seed,
    parallel,
    tokenCap,
    shard,
    ...(design === undefined ? {} : { design }),
    suite: {
      origin,
      folder,
      ...(fixture === null ? {} : { fixture: fixture.folder }),
      installScripts: fixturesOf(suite).some(({ installScripts }) => installScripts),
    },
    at: clock.now(),
  };
  return `${JSON.stringify(stored, null, 1)}\n`;
}

/** Fails if the stored request measures something else; the number of runs and of parallel runs may change. */
function otherThan(stored: StoredRequest, request: BenchRequest): Failure<BenchFault> | null {
  if (stored.hash === requestHash(request)) return null;
  return fail(
    "other_request",
    sentence(
      "The bench {0} was started with other tasks, configurations or another suite, driver or seed; start a new one",
      request.id,
    ),
  );
}

async function dropTornLine(file: string): Promise<void> {
  const text = await textIfThere(file);
  if (text === null || text === "" || text.endsWith("\n")) return;
  await truncate(file, Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1)));
}

async function appendLine(file: string, line: string): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    await handle.appendFile(`${line}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

export async function writeRuns(folder: string, runs: readonly BenchRun[]): Promise<void> {
  const lines = runs.map((run) => `${JSON.stringify(run)}\n`);
  await writeFile(path.join(folder, runsFile), lines.join(""), { mode: 0o600 });
}
