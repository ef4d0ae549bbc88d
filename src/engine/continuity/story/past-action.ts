import { isObject } from "../../base/parse.ts";
import { sha256Hex } from "../../base/hash.ts";
import { scrubLine } from "../../base/scrub.ts";
import { toolCallOf, madeTask, todoChange, wasRefused, type TodoChange } from "../../hooks/event.ts";
import { absolutePath, shellOf } from "../../guard/commands.ts";
import { reportsFailure } from "../../guard/work.ts";
import { textAt } from "../../transcripts/claude.ts";
import type { PastEvent } from "../../transcripts/past.ts";
import { toolKind, type ToolKind } from "../../transcripts/tool-kind.ts";
import { failureIn, type Failure } from "./failure.ts";
import type { LineFacts, ReadLine } from "./read-line.ts";

/** A past tool call and its result. Holds no file text, and of an output only the line with the error. */
export interface PastAction {
  readonly id: string;
  /** Null for the session's main conversation. */
  readonly agentId: string | null;
  readonly at: number | null;
  /** The project or working folder. */
  readonly folder: string | null;
  readonly tool: string;
  readonly kind: ToolKind;
  /** The beginning of the command line, on one line and without secrets; null for other tools. */
  readonly command: string | null;
  readonly line: LineFacts | null;
  /** Files that it reads and writes. Absolute if the folder is known. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The same for calls of one tool on the same subject. */
  readonly key: string;
  readonly outcome: "succeeded" | "failed" | "unknown";
  readonly failure: Failure | null;
  /**
   * Hashes of the text that an edit replaces, and of its replacement. Null if it does not replace one text.
   */
  readonly change: { readonly before: string; readonly after: string } | null;
  readonly todos: TodoChange | null;
  /** Number of the task that it created. Null if the result has none. */
  readonly madeTask: string | null;
}

type PastCall = Extract<PastEvent, { kind: "call" }>;
type PastResult = Extract<PastEvent, { kind: "result" }>;

const maxOpen = 200;
/** A longer command line is cut. Characters. */
const maxCommandLength = 400;

/** Pairs the calls and results of a session. */
export class ActionReader {
  readonly #readLine: ReadLine;
  readonly #open = new Map<string, PastCall>();

  constructor(readLine: ReadLine) {
    this.#readLine = readLine;
  }

  read(event: PastEvent): PastAction | null {
    if (event.kind === "call") {
      this.#open.set(keyOf(event), event);
      const [oldest] = this.#open.keys();
      if (this.#open.size > maxOpen && oldest !== undefined) this.#open.delete(oldest);
      return null;
    }
    if (event.kind !== "result") return null;
    const call = this.#open.get(keyOf(event));
    if (call === undefined) return null;
    this.#open.delete(keyOf(event));
    return actionOf(call, event, this.#readLine);
  }
}

function keyOf({ agentId, id }: PastCall | PastResult): string {
  return JSON.stringify([agentId, id]);
}

function actionOf(call: PastCall, result: PastResult, readLine: ReadLine): PastAction {
  const { tool, input, id, agentId, folder } = call;
  const kind = toolKind(tool);
  const given = toolCallOf({ tool_name: tool, tool_input: input });
  const command = given.kind === "command" ? trimmed(given.command) : null;
  const shown = command === null ? null : scrubLine(command, 8 * maxCommandLength);
  const line =
    command === null
      ? null
      : withoutSecretName(readLine(command, folder, shellOf(tool)), { command, shown, tool });
  const patched = kind === "edit" ? patchedFiles(input) : [];
  const file = given.kind === "edit" || given.kind === "read" ? given.file : null;
  const named = patched.length > 0 ? patched : file === null ? [] : [file];
  const files = named.map((each) => absolutePath(each, folder) ?? each);
  const outcome = outcomeOf(result, line);
  return {
    id,
    agentId,
    at: result.at ?? call.at,
    folder,
    tool,
    kind,
    command: shown?.slice(0, maxCommandLength) ?? null,
    line,
    reads: given.kind === "read" ? files : readBy(line),
    writes: given.kind === "edit" ? files : (line?.writes ?? []),
    key: hashOf([tool, command?.replaceAll(/\s+/gu, " ") ?? (files.length > 0 ? files : input)]),
    outcome,
    failure: outcome === "failed" ? failureIn(result.text, line?.name ?? tool) : null,
    change: kind === "edit" ? changeOf(input) : null,
    // A call that was declined or failed has changed no list.
    todos: result.isError === true || wasRefused(tool, result.text) ? null : todoChange(tool, input),
    madeTask: tool === "TaskCreate" ? madeTask(result.text) : null,
  };
}

/**
 * An address with a password in a program's place is not a program name; its last part alone would not be
 * recognized as a secret.
 */
function withoutSecretName(
  line: LineFacts,
  {
    command,
    shown,
    tool,
  }: { readonly command: string; readonly shown: string | null; readonly tool: string },
): LineFacts {
  const [raw, clean] = [command.toLowerCase(), (shown ?? "").toLowerCase()];
  const words = line.name.toLowerCase().split(/\s+/u);
  return words.some((word) => raw.includes(word) && !clean.includes(word)) ? { ...line, name: tool } : line;
}

function trimmed(command: string | null): string | null {
  const line = command?.trim() ?? "";
  return line === "" ? null : line;
}

function readBy(line: LineFacts | null): string[] {
  const file = line?.reads ?? null;
  return file === null ? [] : [file];
}

function outcomeOf({ isError, text }: PastResult, line: LineFacts | null): PastAction["outcome"] {
  // A call that the user declined says nothing about the work.
  if (isError === true && declined.test(text)) return "unknown";
  if (isError === true) return line?.isQuestion === true ? "unknown" : "failed";
  if (line !== null && line.checks.length > 0 && reportsFailure(text)) return "failed";
  return isError === null ? "unknown" : "succeeded";
}

const declined =
  /^(?:The user doesn't want to|\[Request interrupted|Permission to use|Claude requested permissions|Denied by|User (?:rejected|denied)|This command requires approval|.{0,40}hook error:)/u;

/** Returns the files that a patch in Codex's format changes. */
function patchedFiles(input: unknown): string[] {
  const patch = isObject(input) ? (textAt(input, "input") ?? textAt(input, "patch")) : null;
  if (patch === null) return [];
  const found = patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (?<file>.+)$/gmu);
  return [...new Set(Array.from(found, (each) => each.groups?.["file"]?.trim() ?? ""))]
    .filter((file) => file !== "")
    .slice(0, 40);
}

/** The names under which agents' tools take the text that is replaced, and the one that replaces it. */
const before = ["old_string", "oldString", "old_str"];
const after = ["new_string", "newString", "new_str"];

function changeOf(input: unknown): PastAction["change"] {
  if (!isObject(input)) return null;
  const [old, young] = [before, after].map((names) =>
    names.map((name) => input[name]).find((text) => typeof text === "string"),
  );
  return old === undefined || young === undefined ? null : { before: hashOf(old), after: hashOf(young) };
}

function hashOf(value: unknown): string {
  return sha256Hex(JSON.stringify(value), 16);
}
