import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { CodexAgent } from "../codex.ts";
import { openCodex } from "../codex.ts";
import { expectCodex } from "../scenarios/codex/expected-rollouts.ts";
import type { CodexExchange } from "../stand-in/codex.ts";
import { codexVersion } from "../codex-install.ts";
import { makeCodexRenaming } from "./codex-renaming.ts";
import { codexScenarios } from "../scenarios/codex/rollouts.ts";
import { leaksIn } from "./leaks.ts";
import { hostWords, recordedWorkspace, writeExpected, writeFileIn } from "./recording.ts";
import { recordedAt } from "./renaming.ts";
import { sanitizeRow, textsIn } from "./sanitize.ts";

/** Values from Codex's own vocabulary that readers may inspect. */
const vocabulary = [
  codexVersion,
  "exec",
  "codex_exec",
  "user",
  "subagent",
  "paginated",
  "codex",
  "mock",
  "default",
  "multi_agent_v1",
  "completed",
];

/** Long rows that only continue the session: one of each kind is enough to recognize them. */
const bulky = new Set(["response_item", "world_state"]);
/** The rows among them about tools. */
const tools = /^(?:function_call|custom_tool_call)/;

/** Records what the real Codex writes in every scenario into `folder`, with only our own words in it. */
export async function recordCodex(binary: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [index, { name, play }] of codexScenarios.entries()) {
    const agent = await openCodex(binary, `${name}-`);
    try {
      await play(agent);
      await write(agent, join(folder, name), index + 1);
    } finally {
      await agent.close();
    }
    console.log(`recorded codex ${codexVersion} ${name}`);
  }
}

async function write(
  { home, scratch, standIn, prompts }: CodexAgent,
  folder: string,
  seed: number,
): Promise<void> {
  const files = await readRollouts(home);
  const renaming = makeCodexRenaming(
    files.map(([, text]) => text),
    [
      [scratch.workspace, recordedWorkspace],
      [home, "/home/dev/.codex"],
      [scratch.root, "/home/dev"],
    ],
    seed,
  );
  const { exchanges } = standIn;
  const own = new Set(
    [...vocabulary, ...prompts, ...textsIn(exchanges), ...exchanges.flatMap(callTexts)].map((text) =>
      renaming.relocate(text),
    ),
  );
  for (const [path, text] of files) {
    const seen = new Set<string>();
    const rows = text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => sanitizeRow(JSON.parse(line), renaming, own))
      .filter((row) => isKept(row, seen));
    const lines = `${rows.map((row) => JSON.stringify(row, steady)).join("\n")}\n`;
    const leaks = leaksIn(lines, hostWords());
    if (leaks.length > 0) throw new Error(`${path} holds words that are not ours: ${leaks.join("; ")}`);
    await writeFileIn(join(folder, placeOf(renaming.relocate(path))), lines);
  }
  const { sessions } = expectCodex(exchanges);
  const named = sessions.map((session) => ({ ...session, id: renaming.relocate(session.id) }));
  await writeExpected(join(folder, "expected.json"), {
    generation: `codex-${codexVersion}`,
    sessions: named,
  });
}

/** Texts the stand-in derives from a call: its id, and its input as the JSON text that is sent. */
function callTexts({ responseId, reply }: CodexExchange): string[] {
  return reply.kind === "response" && reply.item.type === "call"
    ? [`call_${responseId}`, JSON.stringify(reply.item.input)]
    : [];
}

function isKept(row: unknown, seen: Set<string>): boolean {
  if (typeof row !== "object" || row === null || !("type" in row)) return true;
  const type = String(row.type);
  const payload = "payload" in row ? row.payload : null;
  const isTool =
    typeof payload === "object" && payload !== null && "type" in payload && tools.test(String(payload.type));
  if (isTool || !bulky.has(type) || !seen.has(type)) {
    seen.add(type);
    return true;
  }
  return false;
}

/** Replaces the machine's own date and time in a rollout's path. */
function placeOf(path: string): string {
  return path
    .replace(/(sessions[\\/])\d{4}[\\/]\d\d[\\/]\d\d/, "$12026/11/02")
    .replace(/rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/, "rollout-2026-11-02T09-00-00");
}

/** Replaces numbers that come from the machine's clock. */
function steady(key: string, value: unknown): unknown {
  if (typeof value !== "number") return value;
  if (/^(?:started|completed)_at$|^create_time$/.test(key)) return Math.floor(recordedAt / 1000);
  if (key.endsWith("_at_ms")) return recordedAt;
  return key === "time_to_first_token_ms" || key === "nanos" ? 100 : value;
}

async function readRollouts(home: string): Promise<[string, string][]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /^rollout-.*\.jsonl$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [
      relative(home, path),
      await readFile(path, "utf8"),
    ]),
  );
}
