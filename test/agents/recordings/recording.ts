import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, hostname, release, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { format } from "prettier";
import type { Agent } from "../agent.ts";
import { expect } from "../scenarios/expected.ts";
import type { Expected } from "../scenarios/expected.ts";
import { leaksIn } from "./leaks.ts";
import { readRawTranscripts } from "../scenarios/raw-transcripts.ts";
import { makeRenaming, timesIn } from "./renaming.ts";
import type { Spacing } from "./renaming.ts";
import { sanitizeRow, textsIn } from "./sanitize.ts";

/** The workspace path in the recorded sessions. */
export const recordedWorkspace = "/home/dev/harbor";

/** A recording: its files by path below the config folder, and what a reader must find in them. */
export interface Recording {
  readonly files: ReadonlyMap<string, string>;
  readonly expected: Expected;
}

/**
 * Sanitizes what an agent just wrote for storage. Throws when a foreign word is left in it. `seed` makes the
 * recording's ids unique.
 */
export async function takeRecording(agent: Agent, seed: string, spacing: Spacing): Promise<Recording> {
  const { scratch, standIn, prompts } = agent;
  const expected = expect(standIn.exchanges, await readRawTranscripts(scratch.config));
  const originals = await readTree(join(scratch.config, "projects"));
  const renaming = makeRenaming(
    seed,
    originals.flatMap(([, text]) => timesIn(text)),
    [
      [folderName(scratch.workspace), folderName(recordedWorkspace)],
      [scratch.workspace, recordedWorkspace],
      [scratch.config, "/home/dev/.claude"],
      [scratch.root, "/home/dev"],
    ],
    spacing,
  );
  const renameAll = (text: string): string =>
    renaming.relocate(text).replace(/[0-9a-f-]{36}|a[0-9a-f]{16}/g, (id) => renaming.rename(id) ?? id);
  // The ids that name files come first, in order of use: the same in every recording.
  for (const session of expected.sessions) {
    for (const id of [session.id, ...session.subagents.map(({ agentId }) => agentId)]) renaming.rename(id);
  }
  const own = new Set(
    [...prompts, ...textsIn(standIn.exchanges.map(({ reply }) => reply))].map((text) =>
      renaming.relocate(text),
    ),
  );
  const files = new Map<string, string>();
  for (const [path, text] of originals.sort(([a], [b]) => renameAll(a).localeCompare(renameAll(b)))) {
    const lines = text.split("\n").filter((line) => line !== "");
    const rows = lines.map((line) => JSON.stringify(sanitizeRow(JSON.parse(line), renaming, own)));
    files.set(join("projects", renameAll(path)), `${rows.join("\n")}\n`);
  }
  for (const [path, text] of files) {
    const leaks = leaksIn(text, hostWords());
    if (leaks.length > 0) throw new Error(`${path} holds words that are not ours: ${leaks.join("; ")}`);
  }
  return { files, expected: sanitizeExpected(expected, renameAll) };
}

/** Writes a recording and its `expected.json`, replacing the one in `folder`. */
export async function writeRecording(folder: string, recording: Recording, facts: object): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, text] of recording.files) await writeFileIn(join(folder, path), text);
  await writeExpected(join(folder, "expected.json"), { ...facts, ...recording.expected });
}

export async function writeExpected(path: string, expected: object): Promise<void> {
  await writeFileIn(path, await format(JSON.stringify(expected), { parser: "json", printWidth: 110 }));
}

export async function writeFileIn(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Words of this machine that no recording may hold. */
export function hostWords(): string[] {
  return [tmpdir(), homedir(), hostname(), release(), process.cwd()];
}

async function readTree(root: string): Promise<[string, string][]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [
      relative(root, path),
      await readFile(path, "utf8"),
    ]),
  );
}

/** The agent's folder name for a project: every character that is not a letter or digit becomes a dash. */
function folderName(path: string): string {
  return path.replace(/[^a-zA-Z0-9]/g, "-");
}

function sanitizeExpected(expected: Expected, rename: (text: string) => string): Expected {
  return {
    ...expected,
    sessions: expected.sessions.map((session) => ({
      ...session,
      id: rename(session.id),
      subagents: session.subagents.map((subagent) => ({ ...subagent, agentId: rename(subagent.agentId) })),
    })),
  };
}
