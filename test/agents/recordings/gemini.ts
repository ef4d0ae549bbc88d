import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { geminiModel, openGemini, type GeminiAgent } from "../gemini.ts";
import { geminiVersion, type GeminiProgram } from "../gemini-install.ts";
import { geminiScenarios } from "../scenarios/gemini/chats.ts";
import { expectChats } from "../scenarios/gemini/expected-chats.ts";
import { leaksIn } from "./leaks.ts";
import { hostWords, recordedWorkspace, writeExpected, writeFileIn } from "./recording.ts";
import { makeRenaming, recordedAt, timesIn, type Renaming } from "./renaming.ts";
import { sanitizeRow, textsIn } from "./sanitize.ts";

/** Values from Gemini CLI's own vocabulary that readers may inspect. */
const vocabulary = [geminiModel, "main", "subagent", "user", "gemini", "success", "generalist"];

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The id of the note about the session is a digest, and those of calls end with their time. */
const digest = /(?<![0-9a-f-])[0-9a-f]{32}(?![0-9a-f-])/g;
const called = /(?<=_)\d{13}(?=_\d)/g;

const headerSchema = z.looseObject({ sessionId: z.string() });

/** Tags that readers look for in the agent's own texts. */
const tags = ["session_context", "state_snapshot"];

/** Records what the real Gemini CLI writes in every scenario into `folder`, with only our own words in it. */
export async function recordGemini(program: GeminiProgram, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const { name, play } of geminiScenarios) {
    const agent = await openGemini(program);
    try {
      await play(agent);
      await write(agent, name, join(folder, name));
    } finally {
      await agent.close();
    }
    console.log(`recorded gemini ${geminiVersion} ${name}`);
  }
}

async function write(agent: GeminiAgent, name: string, folder: string): Promise<void> {
  const { scratch, standIn, prompts } = agent;
  const home = join(scratch.home, ".gemini");
  const files = await readChats(join(home, "tmp"));
  const expected = expectChats(agent);
  const renaming = makeRenaming(
    `gemini ${name}`,
    files.flatMap(([, text]) => timesIn(text)),
    [
      [scratch.workspace, recordedWorkspace],
      [home, "/home/dev/.gemini"],
      [scratch.root, "/home/dev"],
    ],
    () => 1000,
  );
  const given = new Map<string, string>();
  const moments = new Map<string, string>();
  const renameIds = (text: string): string =>
    text
      .replace(uuid, (id) => {
        const renamed = given.get(id) ?? renaming.rename(id) ?? id;
        given.set(id, renamed).set(renamed, renamed);
        return renamed;
      })
      .replace(digest, (id) => (renaming.rename(id + id) ?? id).slice(0, id.length))
      .replace(called, (moment) => {
        const renamed = moments.get(moment) ?? String(recordedAt + moments.size * 1000);
        moments.set(moment, renamed).set(renamed, renamed);
        return renamed;
      });
  for (const { id } of expected) renameIds(id);
  // Ids are parts of other ids, and so are renamed in the whole text.
  const once: Renaming = { ...renaming, rename: (text) => given.get(text) ?? renaming.rename(text) };
  const replies = standIn.exchanges.map(({ reply }) => reply);
  const own = new Set(
    [...vocabulary, ...prompts, ...textsIn(replies)].map((text) => renaming.relocate(text)),
  );
  for (const [path, text] of files) {
    const rows = text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.stringify(cleanRow(JSON.parse(renameIds(line)), once, own)));
    const lines = `${rows.join("\n")}\n`;
    const leaks = leaksIn(lines, hostWords());
    if (leaks.length > 0) throw new Error(`${path} holds words that are not ours: ${leaks.join("; ")}`);
    await writeFileIn(join(folder, "tmp", placeOf(path, headerOf(lines), renameIds)), lines);
  }
  await writeFileIn(join(folder, "tmp", "workspace", ".project_root"), recordedWorkspace);
  const sessions = expected.map((session) => ({ ...session, id: renameIds(session.id) }));
  await writeExpected(join(folder, "expected.json"), { generation: `gemini-${geminiVersion}`, sessions });
}

/** The agent's own notes keep the tags that distinguish them from a person's words. */
function cleanRow(row: unknown, renaming: Renaming, own: ReadonlySet<string>): unknown {
  const noted = new Set(own);
  const marked: unknown = JSON.parse(JSON.stringify(row), (key, value: unknown) => {
    if (typeof value !== "string" || own.has(value)) return value;
    if (key === "id" || key === "agentId" || key === "sessionId" || key === "name") noted.add(value);
    const tag = tags.find((each) => value.includes(`<${each}>`));
    if (tag === undefined) return value;
    const note = `<${tag}>Neutral text.</${tag}>`;
    noted.add(note);
    return note;
  });
  return sanitizeRow(marked, renaming, noted);
}

function headerOf(lines: string): { sessionId: string } {
  return headerSchema.parse(JSON.parse(lines.slice(0, lines.indexOf("\n"))));
}

/** Replaces the machine's own time in a file's path, and the session's id: its first letters are in the file's name. */
function placeOf(
  path: string,
  { sessionId }: { readonly sessionId: string },
  renameIds: (text: string) => string,
) {
  const name = `session-2026-11-02T09-00-${sessionId.slice(0, 8)}.jsonl`;
  return renameIds(path).replace(/session-[^/\\]+\.jsonl$/, name);
}

/** A resume in another minute leaves a second file with nothing but a header and a note: only the first is kept. */
async function readChats(root: string): Promise<[string, string][]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = await Promise.all(
    paths.map(async (path): Promise<[string, string]> => [
      relative(root, path),
      await readFile(path, "utf8"),
    ]),
  );
  return files.filter(([, text]) => text.includes('"tokens"'));
}
