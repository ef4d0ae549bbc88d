import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** An agent that is read like any other. */
const agent = "gemini";
/**
 * Parts that are separate from reading: recorded sessions of every agent, hooks, rules on programs and
 * settings, and what starts agents, is started by them, or sends them messages after a compaction.
 */
const others =
  /^src\/(?:extension\/sample|(?:engine|engine\/cli|extension)\/hooks|engine\/guard\/(?:calls|catalogue|commands)|engine\/continuity\/(?:handover|compaction)|engine\/recurring\/programs|engine\/cli\/mcp)\//u;
/** The table of agents, and the folders that each agent writes to. */
const table = "src/engine/transcripts/agents.ts";
const roots = "src/engine/transcripts/home-folder.ts";

test("an agent is a folder, an entry in the table of agents, and its home", () => {
  const named = new RegExp(`\\b${agent}\\b`, "u");
  const files = globSync("src/**/*.ts")
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.startsWith(`src/engine/transcripts/${agent}/`) && !others.test(file))
    .filter((file) => !file.includes(".generated."))
    .filter((file) => named.test(readFileSync(file, "utf8")));
  assert.deepEqual(files.toSorted(), [table, roots]);
});
