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
  /** SHA-256 over id, agent, prompt, check, the check's files, and weight. */
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
}

export interface Suite {
  readonly origin: "built-in" | "workspace";
  readonly folder: string;
  readonly fixture: Fixture;
  readonly agents: readonly GoldenAgent[];
  readonly tasks: readonly GoldenTask[];
}

/**
 * Hashes what an agent is measured with, independent of its definition: the fixture and its tasks. 64 hexadecimal
 * digits.
 */
export function suiteHash(suite: Pick<Suite, "fixture" | "tasks">, agent: string): string {
  const tasks = suite.tasks.filter((task) => task.agent === agent).map(({ hash }) => hash);
  return sha256Hex([suite.fixture.hash, ...tasks.sort()].join("\n"));
}
