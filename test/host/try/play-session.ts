import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { RecordedLine, RecordedSession } from "./recorded-session.ts";
import { projectFolder } from "../scratch.ts";

export interface PlayOptions {
  readonly session: RecordedSession;
  /** The agent's configuration folder, in which the transcript grows. */
  readonly claude: string;
  /** The session's working folder, which replaces the recorded one. */
  readonly workspace: string;
  /** Duration of one turn. Milliseconds. */
  readonly pace: number;
  readonly signal?: AbortSignal;
  /** Called after each turn was written; the next waits until it is done. */
  readonly onTurn?: (turn: number) => void | Promise<void>;
}

/**
 * Plays a recorded session as if it happened now: appends its rows in order, turn by turn, with the current time and
 * this workspace. Returns the number of turns. Stops early on abort.
 */
export async function playSession(options: PlayOptions): Promise<number> {
  let turns = 0;
  for (const line of options.session.lines) {
    if (options.signal?.aborted === true) break;
    await write(line, options);
    if (!line.turn) continue;
    turns += 1;
    await options.onTurn?.(turns);
    await pause(options);
  }
  return turns;
}

async function write({ file, row, whole }: RecordedLine, options: PlayOptions): Promise<void> {
  const path = join(projectFolder(options.claude, options.workspace), file);
  const moved = row["timestamp"] === undefined ? row : { ...row, timestamp: new Date().toISOString() };
  // Inside a JSON text a path is written as a JSON string, which matters on Windows.
  const here = JSON.stringify(options.workspace).slice(1, -1);
  const text = `${JSON.stringify(moved).replaceAll(options.session.cwd, () => here)}\n`;
  await mkdir(dirname(path), { recursive: true });
  await (whole === true ? writeFile(path, text) : appendFile(path, text));
}

async function pause({ pace, signal }: PlayOptions): Promise<void> {
  if (signal === undefined) return wait(pace);
  await wait(pace, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
