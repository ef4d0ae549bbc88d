import { isObject } from "../../../base/parse.ts";
import path from "node:path";
import type { PastRows, PastEvent, AgentHistory } from "../../past.ts";
import { findGeminiSessions, projectRootOf, type GeminiFile } from "../gemini-files.ts";
import { geminiRoots } from "../../home-folder.ts";
import {
  isDone,
  toolCallsOf,
  type GeminiToolCall,
  contentTexts,
  holdsSummary,
  promptText,
} from "../message-content.ts";
import { chatRow } from "../gemini-row-schema.ts";
import { objectAt, objectsAt, textAt } from "../../claude/message-parts.ts";

interface FileNames {
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly folder: string | null;
}

/** Reads Gemini CLI's chats. Their rows are written again when more is known. */
class GeminiHistory implements PastRows {
  #names: FileNames;
  readonly #responses = new Set<string>();
  readonly #replied = new Set<string>();
  readonly #calls = new Set<string>();
  /** Ids of the messages that are part of the conversation, and whether each is a prompt. */
  #messages = new Map<string, boolean>();

  constructor(names: FileNames) {
    this.#names = names;
  }

  read(row: unknown): readonly PastEvent[] {
    const read = chatRow(row);
    if (read.kind === "header") {
      const { sessionId } = read.header;
      const messages = read.header.messages ?? [];
      // Hooks and the ledger use the session id in its file; the file's name has only a part of it.
      if (this.#names.agentId === null && typeof sessionId === "string")
        this.#names = { ...this.#names, sessionId };
      const place = { ...this.#names, at: null, branch: null };
      const summary = messages.find((message) => isObject(message) && holdsSummary(message["content"]));
      if (!isObject(summary)) return [];
      const text = contentTexts(summary["content"]).join("\n");
      return [
        { ...place, kind: "compaction" },
        { ...place, kind: "summary", text },
      ];
    }
    if (read.kind === "rewind") {
      const prompts = this.#cutFrom(read.to);
      return prompts === 0 ? [] : [{ ...this.#names, at: null, branch: null, kind: "rewind", prompts }];
    }
    if (read.kind !== "message" || !isObject(row)) return [];
    const { id, type, timestamp: at = null, model = null } = read.message;
    const place = { ...this.#names, at, branch: null };
    const asked = type === "user" ? promptText(row) : null;
    this.#messages.set(id, asked !== null);
    if (asked !== null) return [{ ...place, kind: "prompt", text: asked }];
    if (type !== "gemini") return [];
    const events: PastEvent[] = [];
    const text = contentTexts(row["content"]).join("\n").trim();
    if (!this.#responses.has(id)) events.push({ ...place, kind: "response", model: model ?? null });
    this.#responses.add(id);
    if (text !== "" && !this.#replied.has(id)) {
      this.#replied.add(id);
      events.push({ ...place, kind: "reply", text });
    }
    for (const call of toolCallsOf(row)) {
      if (!isDone(call) || this.#calls.has(call.id)) continue;
      this.#calls.add(call.id);
      events.push(
        { ...place, kind: "call", id: call.id, tool: call.name, input: call.args },
        { ...place, kind: "result", id: call.id, ...printedBy(call) },
      );
    }
    return events;
  }

  /** Removes a message and all later ones. Returns how many of them were prompts. */
  #cutFrom(id: string): number {
    const all = [...this.#messages];
    const first = all.findIndex(([each]) => each === id);
    if (first === -1) return 0;
    this.#messages = new Map(all.slice(0, first));
    return all.slice(first).filter(([, isPrompt]) => isPrompt).length;
  }
}

function printedBy({ result, status }: GeminiToolCall): { text: string; isError: boolean | null } {
  const texts = objectsAt({ result }, "result").flatMap((part) => {
    const response = objectAt(objectAt(part, "functionResponse"), "response");
    return textAt(response, "output") ?? textAt(response, "error") ?? [];
  });
  const text = texts.join("\n");
  const failed = /^Exit Code: (?!0$)-?\d{1,10}$/mu.test(text.slice(-2000));
  return { text: text.replace(/^Output: /u, ""), isError: failed || status !== "success" };
}

function rowsOf(file: Pick<GeminiFile, "path" | "parentId" | "cwd">): (() => PastRows) | null {
  const own = path.basename(file.path).replace(/\.jsonl?$/u, "");
  const { parentId, cwd: folder } = file;
  const names = { sessionId: parentId ?? own, agentId: parentId === null ? null : own, folder };
  return file.path.endsWith(".jsonl") ? () => new GeminiHistory(names) : null;
}

/** The past in Gemini CLI's chats; the older form, one object, is not read. */
export const history: AgentHistory = {
  files: (input) =>
    findGeminiSessions(geminiRoots(input)).files.map((file) => ({ ...file, rows: rowsOf(file) })),
  session: (transcript) => {
    const cwd = projectRootOf(path.dirname(path.dirname(transcript)));
    return [{ path: transcript, rows: rowsOf({ path: transcript, parentId: null, cwd }) }];
  },
};
