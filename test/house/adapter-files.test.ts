import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { programName } from "../../src/engine/base/text/program-name.ts";
import { agents } from "../../src/engine/transcripts/agents.ts";

/** An agent of which only usage is read. */
const agent = "gemini";
/** What the agent is called on a screen, its roots, and its reader: a line in each. */
const most = [
  "src/engine/base/text/program-name.ts",
  "src/engine/transcripts/agents.ts",
  "src/engine/transcripts/records/registry.ts",
];

test("an agent of which only usage is read is a folder, and a line in each table of agents", () => {
  const named = new RegExp(`\\b${agent}\\b`, "u");
  const files = globSync("src/**/*.ts")
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.startsWith(`src/engine/transcripts/${agent}/`) && !file.includes(".generated."))
    .filter((file) => named.test(readFileSync(file, "utf8")));
  assert.deepEqual(files.toSorted(), most);
  for (const { name } of agents) assert.notEqual(programName(name), name, `${name} has no name for a screen`);
});
