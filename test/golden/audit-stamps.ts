import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { sha256Hex } from "../../src/engine/base/hash.ts";
import type { GoldenTask, Suite } from "../../src/engine/bench/suite/suite.ts";

/** File with the stamps of the audited tasks. */
export const stampsFile = path.join(import.meta.dirname, "audited.json");

/** Hash of everything an audit of a task depends on: the task and its check, its patches, the fixture with its lock file, and the Node version. */
export function stampOf({ fixture }: Suite, { hash, solutionPath, wrongPaths }: GoldenTask): string {
  const patches = [...(solutionPath === null ? [] : [solutionPath]), ...wrongPaths];
  const [node = ""] = process.versions.node.split(".");
  const texts = patches.map((patch) => sha256Hex(readFileSync(patch, "utf8")));
  return sha256Hex([hash, fixture?.hash, node, ...texts].join("\n"));
}

/** Stamps of the tasks whose checks distinguished work from none. */
export function readStamps(): ReadonlySet<string> {
  const kept: unknown = JSON.parse(readFileSync(stampsFile, "utf8"));
  return new Set(Object.values(z.record(z.string(), z.string()).parse(kept)));
}
