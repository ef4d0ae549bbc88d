import type { FixtureManifest } from "../fixture/fixture-files.ts";
import { sha256Hex } from "../../base/hash.ts";

/** An agent to measure: an ordinary agent definition of Claude Code. */
export interface GoldenAgent {
  readonly name: string;
  readonly description: string;
  /** Null if the definition names none, or says `inherit`. */
  readonly model: string | null;
  /** Scope of the agent's memory; null if it has none. */
  readonly memory: "user" | "project" | "local" | null;
  readonly definition: string;
  readonly path: string;
  readonly hash: string;
}

/** A file of a check. It is in the copy only while the check runs: the agent never sees it. */
export interface CheckFile {
  /** Path below `.purser-check/` in the copy, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface GoldenTask {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly prompt: string;
  /** A command line for /bin/sh, or `node …`, run in the copy; exit code 0 means that the work is done. */
  readonly check: string;
  readonly checkFiles: readonly CheckFile[];
  /** Weight relative to the agent's other tasks; above 0. */
  readonly weight: number;
  readonly solutionPath: string | null;
  /** Patches that look like a solution but are wrong. */
  readonly wrongPaths: readonly string[];
  readonly path: string;
  /** The project at the task's own commit; null if it begins with the suite's fixture. */
  readonly fixture: Fixture | null;
  /** That commit. */
  readonly base?: string;
  /** SHA-256 over id, agent, prompt, check, the check's files, weight, and the hash of its own fixture. */
  readonly hash: string;
}

export interface Fixture {
  readonly folder: string;
  /** SHA-256 over the paths and hashes of its files, as its manifest has them. */
  readonly hash: string;
  readonly files: number;
  readonly manifest: FixtureManifest;
  /** Whether its dependencies may run install scripts. */
  readonly installScripts: boolean;
  /** The suite's lock file of its dependencies, for a project that has none; null by default. */
  readonly lock?: string | null;
}

export interface Suite {
  readonly origin: "built-in" | "workspace";
  readonly folder: string;
  /** The start of tasks without a commit of their own. Null if there are no such tasks. */
  readonly fixture: Fixture | null;
  readonly agents: readonly GoldenAgent[];
  readonly tasks: readonly GoldenTask[];
}

type Fixtures = Pick<Suite, "fixture"> & { readonly tasks: readonly Pick<GoldenTask, "agent" | "fixture">[] };

/** Returns what a task begins with: the project at its own commit, or the suite's fixture. */
export function fixtureOf(suite: Pick<Suite, "fixture">, task: Pick<GoldenTask, "id" | "fixture">): Fixture {
  const fixture = task.fixture ?? suite.fixture;
  if (fixture === null) throw new Error(`the loader accepted ${task.id} without a fixture`);
  return fixture;
}

/** Returns what an agent's tasks begin with, each once, in the order of the tasks. All agents' by default. */
export function fixturesOf({ fixture, tasks }: Fixtures, agent?: string): readonly Fixture[] {
  const own = tasks.filter((task) => agent === undefined || task.agent === agent);
  const all = own.length === 0 ? [fixture] : own.map((task) => task.fixture ?? fixture);
  return [...new Map(all.flatMap((each) => (each === null ? [] : [[each.hash, each] as const]))).values()];
}

/** The hash of an agent's fixture, or of all if its tasks have several. */
export function fixtureHashOf(suite: Fixtures, agent: string): string {
  const hashes = fixturesOf(suite, agent).map(({ hash }) => hash);
  const [only = ""] = hashes;
  return hashes.length < 2 ? only : sha256Hex(hashes.sort().join("\n"));
}

/**
 * Hashes what an agent is measured with, independent of its definition: the fixtures and its tasks. 64 hexadecimal
 * digits.
 */
export function suiteHash(suite: Pick<Suite, "fixture" | "tasks">, agent: string): string {
  const tasks = suite.tasks.filter((task) => task.agent === agent).map(({ hash }) => hash);
  return sha256Hex([fixtureHashOf(suite, agent), ...tasks.sort()].join("\n"));
}
