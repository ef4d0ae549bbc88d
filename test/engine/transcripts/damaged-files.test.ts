import assert from "node:assert/strict";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { LiveAgents } from "../../../src/engine/sessions/live/live-agents.ts";
import { SessionReader } from "../../../src/engine/sessions/live/reader.ts";
import { agentOf, type AgentName } from "../../../src/engine/transcripts/agents.ts";
import { findTranscripts } from "../../../src/engine/transcripts/claude/claude-files.ts";
import { scanTranscripts } from "../../../src/engine/transcripts/scan.ts";
import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { scratchFolder } from "../support/scratch.ts";
import { FollowedChats } from "./vscode-chat/followed-chats.ts";
import { WrittenChat } from "./vscode-chat/written-chat.ts";

const recordings = fileURLToPath(new URL("../../recordings", import.meta.url));

/** Bytes before a whole record on its line, as left by a killed agent, a power cut, another writer or an editor. */
type Damage =
  | { readonly kind: "torn"; readonly of: number; readonly cut: number }
  | { readonly kind: "zeros"; readonly count: number }
  | { readonly kind: "mark" | "same line" | "none" };
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Damage>({ kind: "none" }) },
  fc.record({ kind: fc.constant("torn" as const), of: fc.nat(500), cut: fc.nat(100_000) }),
  fc.record({ kind: fc.constant("zeros" as const), count: fc.integer({ min: 1, max: 5000 }) }),
  fc.constant<Damage>({ kind: "mark" }),
  fc.constant<Damage>({ kind: "same line" }),
);

/** Every line is still there as a whole record. */
function damaged(text: string, damages: readonly Damage[]): string {
  const lines = text.split("\n").slice(0, -1);
  const parts = lines.map((line, index) => {
    const before = damages[index % Math.max(1, damages.length)] ?? { kind: "none" };
    const end = index === 0 ? "" : "\n";
    if (before.kind === "same line" && index > 1) return line;
    if (before.kind === "zeros") return `${end}${"\0".repeat(before.count)}${line}`;
    if (before.kind === "mark") return `${end}\uFEFF${line}`;
    if (before.kind !== "torn") return `${end}${line}`;
    const torn = lines[before.of % lines.length] ?? "";
    return `${end}${torn.slice(0, 1 + (before.cut % Math.max(1, torn.length - 1)))}${line}`;
  });
  return `${parts.join("")}\n`;
}

interface Recorded {
  readonly agent: AgentName;
  readonly root: string;
}

/** The sessions as shown, and the usage from the agent's reader. */
async function resultOf({ agent, root }: Recorded): Promise<unknown> {
  const agents = new LiveAgents([{ agent, path: root }], () => false);
  await agents.load();
  const [live] = agents.loaded;
  assert.ok(live !== undefined);
  const readers = new Map<string, SessionReader>();
  for (const file of live.finder.find(0).files) {
    const reader = readers.get(file.sessionId) ?? new SessionReader(file.sessionId, live);
    readers.set(file.sessionId, reader);
    reader.addFile(file);
  }
  const shown = [...readers.values()].map((reader) => {
    while (reader.read().more);
    const { main, own, toolCalls } = reader.account;
    const { turns, prompts, compactions } = main;
    return {
      turns,
      prompts,
      compactions,
      occupancy: main.occupancy(),
      usage: own.usage(),
      calls: toolCalls.size,
    };
  });
  const usage = await agentOf(agent).usageReader?.();
  if (agent === "claude-code") {
    const { files } = findTranscripts([root]);
    const scanned = await scanTranscripts({ files });
    return [shown, scannedIn(scanned.responses)];
  }
  return [shown, usage?.readUsage([root]).records.map(({ key, usage: tokens }) => [key, tokens])];
}

function scannedIn(responses: Iterable<{ readonly at: number | null; readonly usage: TokenUsage }>): unknown {
  return [...responses].map(({ at, usage }) => JSON.stringify([at, usage])).toSorted();
}

function holds(recorded: Recorded): Promise<void> {
  const files = globSync("**/*.jsonl", { cwd: recorded.root }).map((file) => path.join(recorded.root, file));
  assert.ok(files.length > 0);
  const texts = files.map((file) => readFileSync(file, "utf8"));
  return resultOf(recorded).then(async (whole) => {
    // An agent that ended may not have written its last newline.
    files.forEach((file, index) => writeFileSync(file, texts[index]?.replace(/\n$/u, "") ?? ""));
    assert.deepEqual(await resultOf(recorded), whole);
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 12 }), async (damages) => {
        files.forEach((file, index) => writeFileSync(file, damaged(texts[index] ?? "", damages)));
        assert.deepEqual(await resultOf(recorded), whole);
      }),
      { numRuns: 50 },
    );
  });
}

/** A copy of a recording, to damage. */
function copied(t: TestContext, agent: AgentName, folder: string): Recorded {
  const root = path.join(scratchFolder(t), "root");
  mkdirSync(root);
  cpSync(path.join(recordings, folder), root, { recursive: true });
  rmSync(path.join(root, "expected.json"), { force: true });
  return { agent, root };
}

const scenarios: readonly (readonly [AgentName, readonly string[]])[] = [
  ["claude-code", ["2.1.332/subagents", "2.1.332/compaction-auto", "2.1.197/tool-loop"]],
  ["codex", ["codex-0.171.0/compaction", "codex-0.171.0/subagent"]],
  ["copilot", ["copilot-1.0.102/compaction", "copilot-1.0.102/subagent"]],
  ["gemini", ["gemini-0.61.0/tool-loop", "gemini-0.61.0/compression", "gemini-0.61.0/subagent"]],
];

describe("a whole record counts exactly once after a torn one, zero bytes or a mark", () => {
  for (const [agent, folders] of scenarios)
    for (const folder of folders) it(`of ${agent} in ${folder}`, (t) => holds(copied(t, agent, folder)));

  it("of a chat of VS Code", (t) => {
    const chats = new FollowedChats(t);
    const chat = new WrittenChat(chats.chat("5e551021-0000-4000-8000-000000000001"));
    chat.choose("test/one", 100_000, 8000).send({ id: "r1" }).report("r1", 2000, 30).flush(10);
    chat.send({ id: "r2", at: 60_000 }).report("r2", 3000, 40).flush(70_000);
    return holds({ agent: "vscode-chat", root: chats.root });
  });
});
