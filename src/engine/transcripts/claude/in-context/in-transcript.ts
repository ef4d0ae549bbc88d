import { isObject } from "../../../base/parse.ts";
import { stat, open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { rethrowUnlessSystemError } from "../../../base/result.ts";
import type { AskedCalls, FindCallsInContext } from "../../past.ts";
import { constants } from "node:fs";
import { parseJsonLine } from "../../json-line.ts";
import { recordsIn } from "../../records/recovered.ts";
import { quietTypes } from "../claude-row-schema.ts";
import { countAt, listAt, objectAt, objectsAt, textAt, type RowObject } from "../message-parts.ts";

/** Maximum bytes read, from the end: a hook waits for the answer. */
const maxRead = 6 * 1024 * 1024;

/** Rows that neither belong to a conversation nor change one. Some are never read; purser reads facts from others. */
export const idleTypes: readonly string[] = [
  ...quietTypes,
  "ai-title",
  "api-request",
  "cost-state",
  "custom-title",
  "host-row",
  "summary",
];
const idleOpenings = idleTypes.map((type) => Buffer.from(`{"type":"${type}",`));

/** The agent writes a row some time after its calls begin to run. Milliseconds. */
const [maxWait, lookAgain] = [250, 10];

/** Searches a Claude Code transcript for calls, from its end, as soon as the present call is written. */
export const findCallsInContext: FindCallsInContext = async (transcript, calls) => {
  const deadline = performance.now() + maxWait;
  try {
    for (;;) {
      const { size } = await stat(transcript);
      const search = await searched(transcript, calls);
      if (!search.mayComeYet) return search.inContext;
      while ((await stat(transcript)).size === size) {
        if (performance.now() > deadline) return new Set();
        await pause(lookAgain);
      }
    }
  } catch (error) {
    rethrowUnlessSystemError(error);
    return new Set();
  }
};

async function searched(transcript: string, calls: AskedCalls): Promise<ChainSearch> {
  const search = new ChainSearch(calls);
  for await (const row of rowsFromEnd(transcript)) if (!isObject(row) || !search.takes(row)) break;
  return search;
}

/** Tests a line for a row that does not belong to a conversation. The agent writes the row's type first. */
function isIdle(line: Buffer): boolean {
  return idleOpenings.some(
    (opening) => line.length > opening.length && opening.equals(line.subarray(0, opening.length)),
  );
}

/** Shorter than a file's usual tail, so that what was written just now costs one read. Bytes. */
const chunkSize = 128 * 1024;
const newline = 0x0a;

/**
 * Yields the rows of a growing file of JSON lines, newest first, until the bound or the file's beginning; undefined for
 * a line that is not JSON. A last line without its end is still being written, and left out. Throws the system's
 * errors.
 */
async function* rowsFromEnd(path: string): AsyncGenerator {
  // A FIFO would wait for a writer. Windows has no O_NONBLOCK, and no FIFO in its file system either.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK || 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return;
    const bound = Math.max(0, stats.size - maxRead);
    /** The beginning of the line that is read last, and the chunks after it. */
    let rest: Buffer[] = [];
    let isEnded = false;
    for (let end = stats.size; end > bound;) {
      const start = Math.max(bound, end - chunkSize);
      const chunk = Buffer.allocUnsafe(end - start);
      const { bytesRead } = await file.read(chunk, 0, chunk.length, start);
      // The file was truncated in between.
      if (bytesRead !== chunk.length) return;
      let until = chunk.length;
      for (;;) {
        const at = until === 0 ? -1 : chunk.lastIndexOf(newline, until - 1);
        if (at < 0) break;
        const line = Buffer.concat([chunk.subarray(at + 1, until), ...rest]);
        if (isEnded && !isIdle(line)) yield* rowIn(line);
        isEnded = true;
        rest = [];
        until = at;
      }
      rest.unshift(chunk.subarray(0, until));
      end = start;
    }
    const first = Buffer.concat(rest);
    if (bound === 0 && isEnded && !isIdle(first)) yield* rowIn(first);
  } finally {
    await file.close();
  }
}

function* rowIn(line: Buffer): Generator {
  const read = parseJsonLine(line);
  if (read.kind === "value") yield read.value;
  if (read.kind !== "malformed") return;
  // The records of a line also come newest first. The rest of the line was written before or between them.
  for (const record of recordsIn(line).reverse()) yield* rowIn(record);
  yield undefined;
}

/** Rows that belong to a conversation and remove nothing from it. */
const linkTypes: ReadonlySet<string> = new Set(["assistant", "attachment", "progress", "user"]);
const systemTypes: ReadonlySet<string> = new Set([
  "agents_killed",
  "api_error",
  "away_summary",
  "bridge_status",
  "file_snapshot",
  "informational",
  "local_command",
  "memory_saved",
  "permission_retry",
  "read_divider",
  "scheduled_task_fire",
  "stop_hook_summary",
  "thinking",
  "turn_duration",
]);

/**
 * Walks from a call to the earlier calls in the same conversation, along the rows' parents. A user who goes back begins
 * another branch, and the rows that were taken back are not on it. The walk ends at any row that may have removed
 * outputs from the context, even on another branch: a compaction, an edit of the context, or a row of an unknown kind.
 */
class ChainSearch {
  readonly #present: string;
  readonly #missing: Set<string>;
  /** The id of the next row on the walk; null before the call is found. */
  #parent: string | null = null;
  readonly inContext = new Set<string>();
  #isFound = false;
  #isBroken = false;

  constructor({ present, earlier }: AskedCalls) {
    this.#present = present;
    this.#missing = new Set(earlier.filter((call) => call !== present));
  }

  /** Whether the present call may still be written later: it was not found, and no row so far ended the walk. */
  get mayComeYet(): boolean {
    return !this.#isFound && !this.#isBroken;
  }

  /** Takes the next older row. Returns whether still older rows may show more. */
  takes(row: RowObject): boolean {
    this.#isBroken = !isHarmless(row);
    if (this.#isBroken) return false;
    for (const call of takenFrom(row)) this.#missing.delete(call);
    if (row["isSidechain"] === true) return true;
    const calls = callsIn(row);
    const isNext = this.#parent === null ? calls.includes(this.#present) : this.#parent === row["uuid"];
    this.#isFound ||= isNext;
    for (const call of calls)
      // A call off this branch was taken back.
      if (this.#missing.delete(call) && isNext) this.inContext.add(call);
    if (!isNext) return this.#missing.size > 0;
    this.#parent = textAt(row, "parentUuid");
    return this.#parent !== null && this.#missing.size > 0;
  }
}

function callsIn(row: RowObject): string[] {
  // A script's calls leave nothing in the context.
  if (row["type"] !== "assistant" || row["isVirtual"] === true) return [];
  const blocks = objectsAt(objectAt(row, "message"), "content");
  return blocks.flatMap((block) => {
    const id = block["type"] === "tool_use" ? textAt(block, "id") : null;
    return id === null ? [] : [id];
  });
}

/** Tests whether an edit of the context clears no more than the model's earlier thinking. */
function isOfThinking(edit: unknown): boolean {
  return isObject(edit) && (textAt(edit, "type") ?? "").startsWith("clear_thinking_");
}

/** Returns the calls whose outputs a row removes from the context, or cuts to a preview. */
function takenFrom(row: RowObject): string[] {
  const attachment = row["type"] === "attachment" ? objectAt(row, "attachment") : null;
  const isCut = attachment?.["type"] === "tool_results_cut";
  const ids =
    row["type"] === "content-replacement"
      ? objectsAt(row, "replacements").map(({ toolUseId }) => toolUseId)
      : isCut
        ? listAt(attachment, "callIds")
        : [];
  return ids.filter((id) => typeof id === "string");
}

/** Tests whether a row that removes outputs from the context names each of them. */
function namesTaken(row: RowObject): boolean {
  const taken = takenFrom(row).length;
  const attachment = objectAt(row, "attachment");
  const listed = attachment === null ? listAt(row, "replacements") : listAt(attachment, "callIds");
  return taken > 0 && taken === listed.length;
}

function isHarmless(row: RowObject): boolean {
  const type = textAt(row, "type") ?? "";
  if (type === "content-replacement") return namesTaken(row);
  if (type === "attachment" && textAt(objectAt(row, "attachment"), "type") === "tool_results_cut")
    return namesTaken(row);
  if (type === "system") return systemTypes.has(textAt(row, "subtype") ?? "");
  if (!linkTypes.has(type)) return idleTypes.some((each) => each === type);
  return row["isCompactSummary"] !== true && row["replacesSpan"] !== true && !isEdited(row);
}

/** Tests whether the provider or the agent cleared outputs from the context before a response. */
function isEdited(row: RowObject): boolean {
  const edits = objectAt(objectAt(row, "message"), "context_management");
  if (edits === null) return false;
  const isCut = edits["client_cut_tool_uses"] !== undefined && countAt(edits, "client_cut_tool_uses") !== 0;
  return isCut || listAt(edits, "applied_edits").some((edit) => !isOfThinking(edit));
}
