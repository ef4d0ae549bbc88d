import { isObject } from "../../../base/parse.ts";
import path from "node:path";
import { walkFiles } from "../../walk-files.ts";
import type { PastRows, PastEvent, AgentHistory } from "../../past.ts";
import { findTranscripts, identify } from "../claude-files.ts";
import { claudeRoots } from "../claude-roots.ts";
import { contentText, objectAt, objectsAt, textAt, type RowObject } from "../message-parts.ts";
import { isNotified } from "../hook-rows.ts";

interface FileNames {
  readonly sessionId: string | null;
  readonly agentId: string | null;
}

/** Reads Claude Code's transcripts: main files and subagents' files. */
class ClaudeHistory implements PastRows {
  readonly #names: FileNames;
  readonly #responses = new Set<string>();
  readonly #parents = new PromptParents();

  constructor(names: FileNames) {
    this.#names = names;
  }

  read(row: unknown): readonly PastEvent[] {
    if (!isObject(row)) return [];
    const sessionId = this.#names.sessionId ?? textAt(row, "sessionId");
    if (sessionId === null) return [];
    const isSide = row["isSidechain"] === true;
    const time = Date.parse(textAt(row, "timestamp") ?? "");
    const place = {
      sessionId,
      agentId: this.#names.agentId ?? textAt(row, "agentId") ?? (isSide ? "side" : null),
      at: Number.isNaN(time) ? null : time,
      folder: textAt(row, "cwd"),
      branch: textAt(row, "gitBranch"),
    };
    switch (row["type"]) {
      case "assistant":
        if (place.agentId === null) this.#parents.row(row);
        return this.#reply(objectAt(row, "message")).map((event) => ({ ...place, ...event }));
      case "user":
        return this.#request(row, place.agentId === null).map((event) => ({ ...place, ...event }));
      case "system":
        if (place.agentId === null) this.#parents.row(row);
        return row["subtype"] === "compact_boundary" ? [{ ...place, kind: "compaction" }] : [];
      default:
        if (place.agentId === null) this.#parents.row(row);
        return [];
    }
  }

  /** @param isMain false for a subagent's file, where no person goes back */
  #request(row: RowObject, isMain: boolean): Own[] {
    const parts = requests(row);
    if (!isMain) return parts;
    if (!parts.some(({ kind }) => kind === "prompt")) {
      this.#parents.row(row);
      return parts;
    }
    const prompts = this.#parents.prompt(row);
    return prompts === 0 ? parts : [{ kind: "rewind", prompts }, ...parts];
  }

  /** A response is written as a row for each of its blocks. */
  #reply(message: RowObject | null): Own[] {
    const id = textAt(message, "id");
    const model = textAt(message, "model");
    const isNew = id !== null && !this.#responses.has(id) && model !== "<synthetic>";
    if (id !== null) this.#responses.add(id);
    const parts = objectsAt(message, "content").flatMap((block): Own[] => {
      const text = block["type"] === "text" ? textAt(block, "text") : null;
      if (text !== null) return [{ kind: "reply", text }];
      const [call, tool] = [textAt(block, "id"), textAt(block, "name")];
      if (block["type"] !== "tool_use" || call === null || tool === null) return [];
      return [{ kind: "call", id: call, tool, input: block["input"] }];
    });
    return isNew ? [{ kind: "response", model }, ...parts] : parts;
  }
}

type Own = PastEvent extends infer Each
  ? Each extends PastEvent
    ? Omit<Each, "sessionId" | "agentId" | "at" | "folder" | "branch">
    : never
  : never;

function requests(row: RowObject): Own[] {
  const message = objectAt(row, "message");
  const results = objectsAt(message, "content").filter(({ type }) => type === "tool_result");
  if (results.length === 0) return row["isMeta"] === true ? [] : asked(row);
  return results.flatMap((block): Own[] => {
    const id = textAt(block, "tool_use_id");
    const content = block["content"];
    const text = typeof content === "string" ? content : contentText(content);
    return id === null ? [] : [{ kind: "result", id, text, isError: block["is_error"] === true }];
  });
}

function asked(row: RowObject): Own[] {
  const text = contentText(objectAt(row, "message")?.["content"]);
  if (row["isCompactSummary"] === true) return [{ kind: "summary", text }];
  return isNotified(textAt(row, "turnOrigin"), text) ? [] : [{ kind: "prompt", text }];
}

export const history: AgentHistory = {
  files: (input) =>
    findTranscripts(claudeRoots(input)).files.map((file) => ({
      ...file,
      rows: () => new ClaudeHistory(file),
    })),
  session: (transcript) => {
    const subagents = path.join(transcript.replace(/\.jsonl$/u, ""), "subagents");
    const { files } = walkFiles(subagents, { depth: 2, wanted: (name) => /^agent-.+\.jsonl$/u.test(name) });
    return [transcript, ...files.map((file) => file.path)].map((file) => ({
      path: file,
      rows: () => new ClaudeHistory(identify(file) ?? { sessionId: null, agentId: null }),
    }));
  },
};

/**
 * Maximum rows remembered per turn. A later prompt may follow any of them: notes and hooks' rows come after the last
 * answer.
 */
const maxEnds = 16;
/** Maximum turns remembered: a person is not expected to go back further. */
const maxTurns = 1000;

/**
 * Finds out from the prompts' parents when a person has gone back. Claude Code writes no row about it: the next
 * prompt's parent is a row of an earlier turn, or null. An unknown parent counts as no going back.
 */
class PromptParents {
  /** Ids of the last rows of each turn that is still part of the conversation. */
  #turns: string[][] = [];
  /** Whether rows name their parents: some programs that write such files omit them. */
  #haveParents = false;

  row(row: RowObject): void {
    this.#haveParents ||= typeof row["parentUuid"] === "string";
    const id = textAt(row, "uuid");
    const turn = this.#turns.at(-1);
    if (id === null || turn === undefined) return;
    turn.push(id);
    if (turn.length > maxEnds) turn.shift();
  }

  /** Handles a prompt. Returns how many earlier prompts it takes back. */
  prompt(row: RowObject): number {
    const left = this.#left(row["parentUuid"]);
    if (left > 0) this.#turns.splice(-left);
    const id = textAt(row, "uuid");
    this.#turns.push(id === null ? [] : [id]);
    if (this.#turns.length > maxTurns) this.#turns.shift();
    return left;
  }

  #left(parent: unknown): number {
    // A prompt without a parent begins the conversation again.
    if (parent === null) return this.#haveParents ? this.#turns.length : 0;
    if (typeof parent !== "string") return 0;
    const turn = this.#turns.findLastIndex((ends) => ends.includes(parent));
    return turn === -1 ? 0 : this.#turns.length - 1 - turn;
  }
}
