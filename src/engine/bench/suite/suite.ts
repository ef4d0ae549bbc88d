import type { FixtureManifest } from "../fixture/manifest.ts";
import { sha256 } from "../sha256.ts";

/** An agent that is measured: an ordinary agent definition of Claude Code. */
export interface GoldenAgent {
  readonly name: string;
  readonly description: string;
  /** Null where the definition names none, or says that it is its caller's. */
  readonly model: string | null;
  /** Where the agent's memory is kept, or null where it has none. */
  readonly memory: "user" | "project" | "local" | null;
  /** The whole Markdown file, frontmatter included. */
  readonly definition: string;
  /** The file. */
  readonly path: string;
  /** SHA-256 of the definition. */
  readonly hash: string;
}

/** What a check brings along. It is in the copy only while the check runs: whoever works there never sees it. */
export interface CheckFile {
  /** Its place below `.purser-check/` of the copy, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Work that can be given to an agent again and again, and a check that says whether it was done. */
export interface GoldenTask {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly prompt: string;
  /** A command line of /bin/sh, or `node …`, run in the copy; exit code 0 says that the work is done. */
  readonly check: string;
  readonly checkFiles: readonly CheckFile[];
  /** How much it counts beside the agent's other tasks; above 0. */
  readonly weight: number;
  /** A patch that does the work. Null in a draft. */
  readonly solutionPath: string | null;
  /** Patches that look like it and do not. */
  readonly wrongPaths: readonly string[];
  /** The file. */
  readonly path: string;
  /** SHA-256 over id, agent, prompt, check, what the check brings along, and weight. */
  readonly hash: string;
}

/** The frozen project that every run begins with. */
export interface Fixture {
  readonly folder: string;
  /** SHA-256 over the paths and hashes of its files, as its manifest has them. */
  readonly hash: string;
  /** How many. */
  readonly files: number;
  readonly manifest: FixtureManifest;
  /** Whether packages it depends on may run scripts of theirs when they are installed. */
  readonly installScripts: boolean;
}

export interface Suite {
  readonly origin: "built-in" | "workspace";
  readonly folder: string;
  readonly fixture: Fixture;
  readonly agents: readonly GoldenAgent[];
  /** By agent, then by file name. */
  readonly tasks: readonly GoldenTask[];
}

/** What an agent is measured with, whatever its definition says: the fixture, and its tasks. 64 hexadecimal digits. */
export function suiteHash(suite: Pick<Suite, "fixture" | "tasks">, agent: string): string {
  const tasks = suite.tasks.filter((task) => task.agent === agent).map(({ hash }) => hash);
  return sha256([suite.fixture.hash, ...tasks.sort()].join("\n"));
}
