import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { errorCode, rethrowUnlessSystemError } from "../../base/result.ts";
import { writeAtomically, readSmallText, nodeFiles } from "../../base/files.ts";
import { parseJson } from "../../base/parse.ts";
import { taskCursor, unseen, type TaskCursor } from "./cursor.ts";
import { taskId } from "./task.ts";
import type { FetchMode } from "./tasks-context.ts";

/** Of `purser task` in a wake. */
const taskCall = z.object({
  /** In which it was made. */
  wake: z.string().check(z.maxLength(200)),
  at: z.int(),
  task: z.string().check(z.maxLength(200)),
  mode: z.enum(["full", "delta", "summary"]),
});
export type TaskCall = z.output<typeof taskCall>;

/** The agent can write to this folder. Bytes. */
const [maxCursorSize, maxCallsSize] = [2 * 1024 * 1024, 4 * 1024 * 1024];

/**
 * What an agent has seen of its tasks, and what it fetched. A sandboxed agent may write to this folder alone of ours, so its content is checked like
 * outside text. Invalid content counts as not seen.
 */
export class Desk {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  cursorOf(task: string): TaskCursor {
    const text = readSmallText(this.#cursorFile(task), maxCursorSize);
    const read = text === null ? undefined : taskCursor.safeParse(parseJson(text));
    return read?.success === true ? read.data : unseen;
  }

  /** Returns why it cannot be stored. After a failure it is only shown once more. */
  async keep(task: string, cursor: TaskCursor): Promise<string | null> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const bytes = Buffer.from(JSON.stringify(cursor));
      await writeAtomically(this.#cursorFile(task), bytes, {
        files: nodeFiles,
        unique: randomUUID,
        isDurable: false,
      });
      return null;
    } catch (error) {
      return errorCode(error);
    }
  }

  async log(call: TaskCall): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await appendFile(this.#callsFile, `${JSON.stringify(call)}\n`, { mode: 0o600 });
    } catch (error) {
      // A call that is not counted does no harm to the work.
      rethrowUnlessSystemError(error);
    }
  }

  /** In their order. */
  async callsOf(wake: string): Promise<readonly TaskCall[]> {
    let text: string;
    try {
      text = await readFile(this.#callsFile, "utf8");
    } catch (error) {
      rethrowUnlessSystemError(error);
      return [];
    }
    return text
      .slice(-maxCallsSize)
      .split("\n")
      .flatMap((line) => {
        const read = taskCall.safeParse(parseJson(line));
        return read.success && read.data.wake === wake ? [read.data] : [];
      });
  }

  /** Drops calls of finished wakes. */
  async clear(): Promise<void> {
    await nodeFiles.remove(this.#callsFile);
  }

  get #callsFile(): string {
    return path.join(this.folder, "calls.ndjson");
  }

  #cursorFile(task: string): string {
    return path.join(this.folder, `${taskId.safeParse(task).success ? task : "none"}.json`);
  }
}

/** The largest fetch of a wake. */
export function fetchModeOf(calls: readonly { readonly mode: FetchMode }[]): FetchMode | "none" {
  const modes = new Set(calls.map(({ mode }) => mode));
  return modes.has("full")
    ? "full"
    : modes.has("delta")
      ? "delta"
      : modes.has("summary")
        ? "summary"
        : "none";
}
