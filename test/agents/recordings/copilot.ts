import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CopilotAgent } from "../copilot.ts";
import { copilotModel, openCopilot } from "../copilot.ts";
import { copilotVersion, type CopilotProgram } from "../copilot-install.ts";
import { askedCompaction, copilotScenarios, type CopilotScenario } from "../scenarios/copilot/sessions.ts";
import { expectCopilot } from "../scenarios/copilot/expected-sessions.ts";
import { leaksIn } from "./leaks.ts";
import { hostWords, recordedWorkspace, writeExpected, writeFileIn } from "./recording.ts";
import { makeRenaming, timesIn, type Renaming } from "./renaming.ts";
import { sanitizeRow, textsIn } from "./sanitize.ts";

/** Values from Copilot CLI's own vocabulary that readers may inspect. */
const vocabulary = [
  copilotVersion,
  copilotModel,
  "bash",
  "task",
  "explore",
  "idle",
  "stop",
  "tool_calls",
  "user",
  "agent",
  "sub-agent",
  "conversation-agent",
  "conversation-subagent",
  "threshold",
  "manual",
  "applied",
  "routine",
  "query",
  "local_full_context_estimate",
];

/** Rows that repeat the whole conversation, prompts of the agent's own included: not even their form is kept. */
const repeating = new Set(["model.messages_snapshot"]);

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Records what the real Copilot CLI writes in every scenario into `folder`, with only our own words in it. */
export async function recordCopilot(program: CopilotProgram, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const scenario of [...copilotScenarios, askedCompaction]) {
    const agent = await openCopilot(program, `${scenario.name}-`);
    try {
      await scenario.play(agent);
      await write(agent, scenario, join(folder, scenario.name));
    } finally {
      await agent.close();
    }
    console.log(`recorded copilot ${copilotVersion} ${scenario.name}`);
  }
}

async function write(agent: CopilotAgent, { name, window }: CopilotScenario, folder: string): Promise<void> {
  const { scratch, home, standIn, prompts } = agent;
  const sessions = join(home, "session-state");
  const expected = expectCopilot(agent);
  const texts = await Promise.all(
    expected.map(async ({ id }) => readFile(join(sessions, id, "events.jsonl"), "utf8")),
  );
  const folders = [
    [scratch.workspace, recordedWorkspace],
    [home, "/home/dev/.copilot"],
    [scratch.root, "/home/dev"],
  ] as const;
  const renaming = makeRenaming(`copilot ${name}`, texts.flatMap(timesIn), folders, () => 1000);
  const given = new Set<string>();
  const renameIds = (text: string): string =>
    text.replace(ids, (id) => {
      const renamed = renaming.rename(id) ?? id;
      given.add(renamed);
      return renamed;
    });
  // Ids are keys too, and so are renamed in the whole text, once.
  const once: Renaming = { ...renaming, rename: (text) => (given.has(text) ? text : renaming.rename(text)) };
  for (const { id } of expected) renameIds(id);
  const own = ownTexts([...vocabulary, ...prompts], standIn, renaming);
  for (const [index, { id }] of expected.entries()) {
    const rows = (texts[index] ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(renameIds(line)))
      .filter((row) => !repeating.has(typeOf(row)))
      .map((row) => JSON.stringify(sanitizeRow(row, once, own)));
    const lines = `${rows.join("\n")}\n`;
    const leaks = leaksIn(lines, hostWords());
    if (leaks.length > 0) throw new Error(`${id} holds words that are not ours: ${leaks.join("; ")}`);
    const place = join(folder, "session-state", renameIds(id));
    await writeFileIn(join(place, "events.jsonl"), lines);
    const workspace = await readFile(join(sessions, id, "workspace.yaml"), "utf8");
    const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
    const clean = renameIds(renaming.relocate(workspace)).replace(times, "2026-11-02T09:00:01.000Z");
    await writeFileIn(join(place, "workspace.yaml"), clean);
  }
  await writeExpected(join(folder, "expected.json"), {
    generation: `copilot-${copilotVersion}`,
    window,
    sessions: expected.map((session) => ({ ...session, id: renameIds(session.id) })),
  });
  const others = (await readdir(sessions)).filter((entry) => !entry.startsWith("."));
  if (others.length !== expected.length) throw new Error(`sessions nobody expected: ${others.join(", ")}`);
}

/** The texts, the stand-in's replies, and the ids that it gives to them and to their tool calls. */
function ownTexts(
  texts: readonly string[],
  { exchanges }: CopilotAgent["standIn"],
  renaming: Renaming,
): ReadonlySet<string> {
  const given = exchanges.flatMap(({ messageId, requestId, reply }) => [
    requestId,
    ...textsIn(reply),
    ...(messageId === null ? [] : [messageId]),
    ...(reply.kind === "message" ? reply.blocks.map((_, index) => `toolu_${messageId ?? ""}_${index}`) : []),
  ]);
  return new Set([...texts, ...given].map((text) => renaming.relocate(text)));
}

function typeOf(row: unknown): string {
  return typeof row === "object" && row !== null && "type" in row ? String(row.type) : "";
}
