import { plainSentence } from "../../../../src/engine/base/language.ts";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { thisMachine } from "../../../../src/engine/base/process/machine.ts";
import type { RunRecorder, BenchPorts, BenchRequest } from "../../../../src/engine/bench/bench-request.ts";
import type { BenchRun } from "../../../../src/engine/bench/run-facts.ts";
import type { Configuration } from "../../../../src/engine/bench/configuration.ts";
import type { AgentResult, AgentTask, Driver } from "../../../../src/engine/bench/drivers/driver.ts";
import { readFixtureFiles, manifestHash } from "../../../../src/engine/bench/fixture/fixture-files.ts";
import { sha256Hex } from "../../../../src/engine/base/hash.ts";
import type { GoldenTask, Suite } from "../../../../src/engine/bench/suite/suite.ts";
import { succeed } from "../../../../src/engine/base/result.ts";

/** A suite of two tasks that request a word in a file, with a fixture of three files. */
export interface TinyBench {
  readonly root: string;
  readonly suite: Suite;
  /** Folder of the working copies; empty once all runs have ended. */
  readonly scratch: string;
  /** Folder in which benches store their state. */
  readonly folder: string;
  remove(): Promise<void>;
}

export const agent = "backend";

export async function makeTinyBench(tasks = ["one", "two"]): Promise<TinyBench> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "purser-tiny-")));
  const [fixture, scratch, folder] = ["fixture", "scratch", "bench"].map((name) => path.join(root, name));
  if (fixture === undefined || scratch === undefined || folder === undefined) throw new Error("no places");
  for (const each of [path.join(fixture, "src"), scratch, folder]) await mkdir(each, { recursive: true });
  for (const name of ["one", "two", "three"])
    await writeFile(path.join(fixture, "src", `${name}.txt`), `${name}\n`);
  const manifest = await readFixtureFiles(fixture);
  const definition = `---\nname: ${agent}\ndescription: Works on words\ntools: Read, Edit, Bash\nmemory: user\n---\nYou write words.\n`;
  const suite: Suite = {
    origin: "workspace",
    folder: root,
    fixture: {
      folder: fixture,
      hash: manifestHash(manifest),
      files: manifest.size,
      manifest,
      installScripts: false,
    },
    agents: [
      {
        name: agent,
        description: "Works on words",
        model: "claude-sonnet-4-6",
        memory: "user",
        definition,
        path: path.join(root, `${agent}.md`),
        hash: sha256Hex(definition),
      },
    ],
    tasks: tasks.map((name) => taskOf(name, root)),
  };
  return {
    root,
    suite,
    scratch,
    folder,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function taskOf(name: string, root: string): GoldenTask {
  const check = `grep -q done src/${name}.txt`;
  return {
    id: `${agent}-${name}`,
    agent,
    title: `Write ${name}`,
    prompt: `Write done into src/${name}.txt`,
    check,
    checkFiles: [],
    weight: 1,
    solutionPath: null,
    wrongPaths: [],
    fixture: null,
    path: path.join(root, `${name}.md`),
    hash: sha256Hex(`${name}\n${check}`),
  };
}

export function configuration(label = "as it is", memory: string | null = null): Configuration {
  return {
    label: plainSentence(label),
    agent,
    model: "claude-sonnet-4-6",
    effort: null,
    definition: null,
    memory,
    overlay: [],
    role: "active",
  };
}

/** Records the runs it receives and answers queries. */
export class TestRunRecorder implements RunRecorder {
  readonly recordedRuns: BenchRun[] = [];

  record(run: BenchRun): Promise<void> {
    this.recordedRuns.push(run);
    return Promise.resolve();
  }

  expected() {
    return Promise.resolve(null);
  }

  week() {
    return Promise.resolve(null);
  }
}

export function portsOf(
  tiny: TinyBench,
  driver: Driver,
  more: Partial<BenchPorts> = {},
): BenchPorts & { readonly recorder: TestRunRecorder } {
  const recorder = new TestRunRecorder();
  return {
    clock: { now: () => Date.now() },
    unique: randomUUID,
    pid: process.pid,
    machine: thisMachine(),
    folder: tiny.folder,
    scratch: tiny.scratch,
    driver,
    modules: () => Promise.resolve(succeed(null)),
    pendingInstall: () => Promise.resolve(null),
    mayRun: () => Promise.resolve({ allowed: true }),
    env: process.env,
    price: () => null,
    ...more,
    recorder,
  };
}

export function requestOf(tiny: TinyBench, more: Partial<BenchRequest> = {}): BenchRequest {
  return {
    id: "tiny",
    suite: tiny.suite,
    configurations: [configuration(), configuration("with a rule", "Read less.")],
    taskIds: tiny.suite.tasks.map(({ id }) => id),
    runs: 2,
    driver: "claude",
    seed: 7,
    parallel: 1,
    tokenCap: null,
    shard: null,
    ...more,
  };
}

export type Played = (task: AgentTask) => AgentResult | Promise<AgentResult>;

/** An agent that does what a test defines. */
export function playing(play: Played): Driver & { readonly played: AgentTask[] } {
  const played: AgentTask[] = [];
  return {
    name: "claude",
    played,
    recordedBy: () => [],
    expected: () => null,
    ready: () => Promise.resolve(succeed(null)),
    async run(task) {
      played.push(task);
      return await play(task);
    },
  };
}

/** Solves the task with that many input tokens. */
export async function solves(task: AgentTask, input = 5000): Promise<AgentResult> {
  const name = task.task.id.slice(agent.length + 1);
  await writeFile(path.join(task.folders.copy, "src", `${name}.txt`), "done\n");
  return ends(input);
}

/** Ends without having done anything. */
export function ends(input = 5000, end: AgentResult["end"] = { kind: "ended" }): AgentResult {
  const usage = { input, output: 100, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 900 };
  const calls = [{ tool: "Read", target: "src/one.txt", isError: false }];
  return {
    end,
    recordedBy: null,
    trajectory: { sessionId: "s", usage, turns: 1, toolCalls: 1, tool: "Read src/one.txt", filesReread: 0 },
    turns: [{ at: 5, usage, calls, text: null, isSidechain: false }],
  };
}
