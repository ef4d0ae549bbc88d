import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { sha256 } from "../../src/engine/bench/sha256.ts";
import type { GoldenTask, Suite } from "../../src/engine/bench/suite/suite.ts";

/** Where it is kept which tasks were audited as they are, by their stamps. */
export const stampsFile = path.join(import.meta.dirname, "audited.json");

/** What an audit of a task rests on, as one value: the task and its check, its patches, the fixture with its lock file, and the Node it ran on. */
export function stampOf({ fixture }: Suite, { hash, solutionPath, wrongPaths }: GoldenTask): string {
  const patches = [...(solutionPath === null ? [] : [solutionPath]), ...wrongPaths];
  const [node = ""] = process.versions.node.split(".");
  const texts = patches.map((patch) => sha256(readFileSync(patch, "utf8")));
  return sha256([hash, fixture.hash, node, ...texts].join("\n"));
}

/** The stamps of tasks whose checks told work from none. */
export function readStamps(): ReadonlySet<string> {
  const kept: unknown = JSON.parse(readFileSync(stampsFile, "utf8"));
  return new Set(Object.values(z.record(z.string(), z.string()).parse(kept)));
}
