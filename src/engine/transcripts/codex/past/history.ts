import { isObject, parseJson } from "../../../base/parse.ts";
import { contentText, objectAt, textAt } from "../../claude/message-parts.ts";
import type { PastRows, PastEvent, AgentHistory } from "../../past.ts";
import { findRollouts, sessionIdOf } from "../codex-files.ts";
import { codexRoots } from "../../home-folder.ts";
import { callIn } from "../tool-calls.ts";
import { anyRow, sessionMeta, turnContext } from "../codex-row-schema.ts";
import { outputItem, type CallItem, Prompts } from "../work-rows.ts";

type Call = Extract<PastEvent, { kind: "call" }>;
type Place = Pick<Call, "sessionId" | "agentId" | "at" | "folder" | "branch">;

/**
 * Reads Codex's rollouts. Consecutive lines written by the model form one response, as versions differ in where they
 * write its usage. Commands appear as in Codex's hooks: as calls of a tool `Bash`.
 */
class CodexHistory implements PastRows {
  #sessionId: string;
  #agentId: string | null = null;
  #folder: string | null = null;
  #branch: string | null = null;
  #model: string | null = null;
  #isReplying = false;
  #isBegun = false;
  readonly #prompts = new Prompts();
  #lastText = "";

  constructor(fileId: string) {
    this.#sessionId = fileId;
  }

  read(value: unknown): readonly PastEvent[] {
    const row = anyRow.safeParse(value).data;
    if (row === undefined) return [];
    const { type, payload, timestamp: at = null } = row;
    const place = () => ({
      sessionId: this.#sessionId,
      agentId: this.#agentId,
      at: at ?? null,
      folder: this.#folder,
      branch: this.#branch,
    });
    switch (type) {
      case "session_meta":
        this.#begin(payload);
        return [];
      case "turn_context": {
        const context = turnContext.safeParse(payload).data;
        this.#folder = context?.cwd ?? this.#folder;
        this.#model = context?.model ?? this.#model;
        return [];
      }
      case "compacted":
        this.#isReplying = false;
        return compacted(payload, place());
      case "response_item":
        return this.#item(payload, place());
      case "event_msg":
        return this.#event(payload, place());
      default:
        return [];
    }
  }

  /** The first such row is the file's own; a fork repeats those of its origin. */
  #begin(payload: unknown): void {
    const meta = this.#isBegun ? undefined : sessionMeta.safeParse(payload).data;
    if (meta === undefined) return;
    this.#isBegun = true;
    const own = meta.id ?? this.#sessionId;
    const parent = meta.source?.subagent === undefined ? null : (meta.parent_thread_id ?? null);
    this.#agentId = parent === null ? null : own;
    this.#sessionId = parent ?? own;
    this.#folder = meta.cwd ?? null;
    this.#branch = meta.git?.branch ?? null;
  }

  /** Newer versions record words as items, older ones as messages. */
  #event(payload: unknown, place: Place): PastEvent[] {
    if (!isObject(payload)) return [];
    const type = textAt(payload, "type") ?? "";
    const item = type === "item_completed" ? objectAt(payload, "item") : null;
    if (type === "user_message" || item?.["type"] === "UserMessage") {
      this.#isReplying = false;
      const text = this.#prompts.read(type, payload);
      return text === undefined ? [] : [{ ...place, kind: "prompt", text }];
    }
    if (type === "thread_rolled_back") {
      const prompts = payload["num_turns"];
      return typeof prompts === "number" && prompts > 0 ? [{ ...place, kind: "rewind", prompts }] : [];
    }
    if (type !== "agent_message" && item?.["type"] !== "AgentMessage") return [];
    return this.#reply(place, textAt(payload, "message") ?? contentText(item?.["content"]));
  }

  /** @param text the reply's words; versions write them once, or twice: as an event and as an item */
  #reply(place: Place, text = ""): PastEvent[] {
    const words: PastEvent[] =
      text === "" || text === this.#lastText ? [] : [{ ...place, kind: "reply", text }];
    this.#lastText = text === "" ? this.#lastText : text;
    if (this.#isReplying) return words;
    this.#isReplying = true;
    return [{ ...place, kind: "response", model: this.#model }, ...words];
  }

  #item(payload: unknown, place: Place): PastEvent[] {
    const output = outputItem.safeParse(payload).data;
    if (output !== undefined) {
      this.#isReplying = false;
      const { output: given, call_id: id } = output;
      return [{ ...place, kind: "result", id, ...printedIn(given) }];
    }
    const call = callIn(payload);
    const isReply = call !== undefined || isWritten(payload);
    if (!isReply) {
      if (isObject(payload) && payload["role"] === "user") this.#isReplying = false;
      return [];
    }
    const response = this.#reply(place, writtenIn(payload));
    const id = call?.call_id ?? call?.id ?? null;
    if (call === undefined || id === null) return response;
    return [...response, { ...place, kind: "call", id, ...calledIn(call) }];
  }
}

/** The summary replaces the messages before it. */
function compacted(payload: unknown, place: Place): PastEvent[] {
  const text = isObject(payload) ? textAt(payload, "message") : null;
  const boundary: PastEvent = { ...place, kind: "compaction" };
  return text === null ? [boundary] : [boundary, { ...place, kind: "summary", text }];
}

function writtenIn(payload: unknown): string {
  const isMessage = isObject(payload) && payload["type"] === "message" && payload["role"] === "assistant";
  return isMessage ? contentText(payload["content"]) : "";
}

function isWritten(payload: unknown): boolean {
  if (!isObject(payload)) return false;
  return (
    payload["type"] === "reasoning" || (payload["type"] === "message" && payload["role"] === "assistant")
  );
}

function calledIn({ type, name, arguments: args, input, action }: CallItem): Pick<Call, "tool" | "input"> {
  const tool = name ?? type.replace(/_call$/u, "");
  // A call with arguments that are not JSON failed, and has no command.
  const given: unknown = typeof args === "string" ? (parseJson(args) ?? null) : (args ?? action);
  const command = commandIn(given);
  if (command !== null) return { tool: "Bash", input: { command } };
  return { tool, input: typeof input === "string" ? { input } : given };
}

/** Returns the command line of a shell call; null for another call. */
function commandIn(given: unknown): string | null {
  if (!isObject(given)) return null;
  const command = given["cmd"] ?? given["command"];
  if (typeof command === "string") return command;
  if (!Array.isArray(command)) return null;
  const words = command.filter((word): word is string => typeof word === "string");
  const script = words.findIndex((word) => /^-[a-z]*c$/u.test(word));
  const line = script < 0 ? undefined : words[script + 1];
  return line ?? words.map(quotedWord).join(" ");
}

function quotedWord(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Separates the output from the status lines that Codex writes above it. */
function printedIn(given: unknown): { readonly text: string; readonly isError: boolean | null } {
  const content: unknown = isObject(given) ? given["content"] : given;
  const whole = typeof content === "string" ? content : contentText(content);
  const parts = /^(?<head>[\s\S]{0,400}?)^Output:\n/mu.exec(whole);
  const code = /^(?:Process exited with code|Exit code:) (?<code>-?\d{1,10})$/mu.exec(
    parts?.groups?.["head"] ?? "",
  );
  const old = whole.startsWith('{"output":') ? parseJson(whole) : null;
  if (isObject(old)) {
    const metadata = old["metadata"];
    const exit: unknown = isObject(metadata) ? metadata["exit_code"] : null;
    return { text: textAt(old, "output") ?? "", isError: typeof exit === "number" ? exit !== 0 : null };
  }
  const exit = code?.groups?.["code"];
  return {
    text: parts === null ? whole : whole.slice(parts[0].length),
    isError: exit === undefined ? null : Number(exit) !== 0,
  };
}

function rowsOf(file: string): (() => PastRows) | null {
  return file.endsWith(".zst") ? null : () => new CodexHistory(sessionIdOf(file) ?? file);
}

/** The past in Codex's rollouts; compressed ones are not read. */
export const history: AgentHistory = {
  files: (input) =>
    findRollouts(codexRoots(input)).files.map((file) => ({ ...file, rows: rowsOf(file.path) })),
  session: (transcript) => [{ path: transcript, rows: rowsOf(transcript) }],
};
