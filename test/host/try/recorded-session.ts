import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";

const recordings = resolve(import.meta.dirname, "../../recordings");

/** A transcript line to append at its time. */
export interface RecordedLine {
  /** Path below the project's folder: `SESSION.jsonl`, or a subagent's file below `SESSION/`. */
  readonly file: string;
  /** Milliseconds since the session began. */
  readonly at: number;
  readonly row: Readonly<Record<string, unknown>>;
  /** Whether the row is the whole file, such as a subagent's metadata, instead of being appended. */
  readonly whole?: boolean;
  /** Whether a new main-chain answer of the model begins here, which moves the status bar. */
  readonly turn: boolean;
}

export interface RecordedSession {
  readonly id: string;
  readonly cwd: string;
  readonly lines: readonly RecordedLine[];
}

const rowSchema = z.looseObject({
  type: z.string(),
  timestamp: z.iso.datetime().optional(),
  sessionId: z.string().optional(),
  cwd: z.string().optional(),
  message: z.looseObject({ id: z.string().optional() }).optional(),
});

const metaSchema = z.looseObject({});

/** Reads the session that `npm run try` plays, with its subagents, in the order of writing. */
export async function readRecordedSession(): Promise<RecordedSession> {
  const main = await readRows(join(recordings, "try-session.jsonl"));
  const id = main.find(({ sessionId }) => sessionId !== undefined)?.sessionId;
  const cwd = main.find((row) => row.cwd !== undefined)?.cwd;
  const start = main.find(({ timestamp }) => timestamp !== undefined)?.timestamp;
  if (id === undefined || cwd === undefined || start === undefined) {
    throw new Error("The recorded session has no session id, cwd or timestamp.");
  }
  const began = Date.parse(start);
  const lines = timed(main, `${id}.jsonl`, began);
  for (const name of await subagents()) lines.push(...(await subagentLines(name, id, began)));
  return { id, cwd, lines: lines.sort((one, other) => one.at - other.at) };
}

async function subagents(): Promise<readonly string[]> {
  const names = await readdir(join(recordings, "try-session", "subagents"));
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => name.replace(/\.jsonl$/u, ""));
}

/** A subagent's rows and metadata: unfinished from its first row, finished with its last. */
async function subagentLines(name: string, session: string, began: number): Promise<RecordedLine[]> {
  const folder = join(recordings, "try-session", "subagents");
  const below = `${session}/subagents/${name}`;
  const lines = timed(await readRows(join(folder, `${name}.jsonl`)), `${below}.jsonl`, began);
  const meta = metaSchema.parse(JSON.parse(await readFile(join(folder, `${name}.meta.json`), "utf8")));
  const about = { file: `${below}.meta.json`, whole: true, turn: false };
  return [
    { ...about, at: lines[0]?.at ?? 0, row: { ...meta, finished: false } },
    ...lines,
    { ...about, at: lines.at(-1)?.at ?? 0, row: meta },
  ];
}

async function readRows(file: string): Promise<z.infer<typeof rowSchema>[]> {
  const text = await readFile(file, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => rowSchema.parse(JSON.parse(line)));
}

/** Assigns times to rows: a row without one was written with the row before it. */
function timed(rows: readonly z.infer<typeof rowSchema>[], file: string, start: number): RecordedLine[] {
  const lines: RecordedLine[] = [];
  const answers = new Set<string>();
  let at = 0;
  for (const row of rows) {
    if (row.timestamp !== undefined) at = Math.max(at, Date.parse(row.timestamp) - start);
    const answer = row.type === "assistant" && !file.includes("/") ? row.message?.id : undefined;
    const turn = (answer !== undefined && !answers.has(answer)) || row["subtype"] === "compact_boundary";
    if (answer !== undefined) answers.add(answer);
    lines.push({ file, at, row, turn });
  }
  return lines;
}
