import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import * as z from "zod";
import { compareWithSummary, diffEntry, itemsOf } from "../../src/engine/continuity/compaction/lost.ts";
import { createStories } from "../../src/engine/continuity/story/create-stories.ts";
import type { LedgerEntry } from "../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../engine/support/scratch.ts";
import { trySession, workspace, type SampleFile } from "./agent-files.ts";

const row = z.looseObject({
  subtype: z.string().optional(),
  timestamp: z.string().optional(),
  isCompactSummary: z.boolean().optional(),
  message: z.looseObject({ content: z.unknown() }).optional(),
});

/** What the compaction of the newest session kept and lost, as purser compares them with hooks installed. */
export async function comparedCompaction(
  t: Pick<TestContext, "after">,
  files: readonly SampleFile[],
): Promise<LedgerEntry> {
  const [name, text] = files.find(([each]) => each.endsWith(`/${trySession}.jsonl`)) ?? [];
  if (name === undefined || text === undefined) throw new Error("the newest session is not in the sample");
  const lines = text.split("\n");
  const rows = lines.map((line) => (line === "" ? null : row.parse(JSON.parse(line))));
  const boundary = rows.findIndex((each) => each?.subtype === "compact_boundary");
  const summary = rows.find((each) => each?.isCompactSummary === true)?.message?.content;
  const at = Date.parse(rows[boundary]?.timestamp ?? "");
  if (boundary === -1 || typeof summary !== "string") throw new Error("the newest session has no compaction");
  const home = scratchFolder(t);
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${lines.slice(0, boundary).join("\n")}\n`);
  const stories = createStories({
    env: { CLAUDE_CONFIG_DIR: path.join(home, "claude") },
    home,
    temporary: home,
    rootOf: () => workspace,
    transcriptOf: () => file,
  });
  const found = await stories.of(trySession);
  if (found === null) throw new Error("the newest session cannot be read");
  const packet = found.story.packet({
    sessionId: trySession,
    agent: found.agent,
    folder: workspace,
    branch: null,
    commit: null,
  });
  const { kept, lost } = compareWithSummary(itemsOf(packet), summary);
  return diffEntry({
    sessionId: trySession,
    program: found.agent,
    trigger: "auto",
    at,
    kept,
    lost,
    told: [],
  });
}
