import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** An agent that is read like any other. */
const agent = "gemini";
/**
 * Parts that are separate from reading: recorded sessions of every agent, hooks, rules on programs and
 * settings, and what starts agents or sends them messages after a compaction.
 */
const others =
  /^src\/(?:extension\/sample|(?:engine|engine\/cli|extension)\/hooks|engine\/guard\/(?:calls|catalogue|commands)|engine\/continuity\/(?:handover|compaction)|engine\/recurring\/programs)\//u;
/** The table of agents. */
const table = "src/engine/transcripts/agents.ts";

test("an agent is a folder, and a member of the table of agents", () => {
  const named = new RegExp(`\\b${agent}\\b`, "u");
  const files = globSync("src/**/*.ts")
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.startsWith(`src/engine/transcripts/${agent}/`) && !others.test(file))
    .filter((file) => !file.includes(".generated."))
    .filter((file) => named.test(readFileSync(file, "utf8")));
  assert.deepEqual(files, [table]);
  const code = readFileSync(table, "utf8").replaceAll(/^import .*\n/gmu, "");
  assert.equal(code.match(new RegExp(named, "gu"))?.length, 1, "the table names the agent once");
});
