import path from "node:path";
import { contentText } from "../../claude/message-parts.ts";
import type { PastRows, PastEvent, AgentHistory } from "../../past.ts";
import { findEventFiles } from "../copilot-files.ts";
import { copilotRoots } from "../../home-folder.ts";
import { assistantMessage, compactionComplete, toolComplete, toolStart, userMessage } from "../work-rows.ts";
import { anyRow, modelData, placeData, resumeData, startData } from "../copilot-row-schema.ts";

class CopilotHistory implements PastRows {
  #sessionId: string;
  #folder: string | null = null;
  #branch: string | null = null;
  #model: string | null = null;

  constructor(folderId: string) {
    this.#sessionId = folderId;
  }

  read(value: unknown): readonly PastEvent[] {
    const row = anyRow.safeParse(value).data;
    if (row === undefined) return [];
    const { type, data, timestamp: at = null, agentId = null } = row;
    const place = {
      sessionId: this.#sessionId,
      agentId: agentId ?? null,
      at,
      folder: this.#folder,
      branch: this.#branch,
    };
    switch (type) {
      case "session.start": {
        const start = startData.safeParse(data).data;
        this.#sessionId = start?.sessionId ?? this.#sessionId;
        this.#move(start?.context);
        this.#model = start?.selectedModel ?? this.#model;
        return [];
      }
      case "session.resume": {
        const resumed = resumeData.safeParse(data).data;
        this.#move(resumed?.context);
        this.#model = resumed?.selectedModel ?? this.#model;
        return [];
      }
      case "session.context_changed":
        this.#move(placeData.safeParse(data).data);
        return [];
      case "session.model_change":
        this.#model = modelData.safeParse(data).data?.newModel ?? this.#model;
        return [];
      case "session.compaction_complete":
        return compacted(data, place);
      case "user.message": {
        const text = userMessage.safeParse(data).data?.content ?? "";
        return [{ ...place, kind: "prompt", text }];
      }
      case "assistant.message": {
        const text = assistantMessage.safeParse(data).data?.content ?? "";
        const response: PastEvent = { ...place, kind: "response", model: this.#model };
        return text === "" ? [response] : [response, { ...place, kind: "reply", text }];
      }
      case "tool.execution_start": {
        const call = toolStart.safeParse(data).data;
        if (call === undefined) return [];
        return [{ ...place, kind: "call", id: call.toolCallId, tool: call.toolName, input: call.arguments }];
      }
      case "tool.execution_complete": {
        const done = toolComplete.safeParse(data).data;
        if (done === undefined) return [];
        const { toolCallId: id, result, success, error } = done;
        const text =
          result === null || result === undefined ? (error?.message ?? "") : printed(result.content);
        return [{ ...place, kind: "result", id, ...withoutEnd(text, success ?? null) }];
      }
      default:
        return [];
    }
  }

  #move(place: Placed | null | undefined): void {
    this.#folder = place?.cwd ?? this.#folder;
    this.#branch = place?.branch ?? this.#branch;
  }
}

interface Placed {
  readonly cwd?: string | null | undefined;
  readonly branch?: string | null | undefined;
}

type Place = Omit<Extract<PastEvent, { kind: "compaction" }>, "kind">;

function compacted(data: unknown, place: Place): PastEvent[] {
  const text = compactionComplete.safeParse(data).data?.summaryContent ?? null;
  const boundary: PastEvent = { ...place, kind: "compaction" };
  return text === null ? [boundary] : [boundary, { ...place, kind: "summary", text }];
}

function printed(content: unknown): string {
  return typeof content === "string" ? content : contentText(content);
}

/** Separates a command's output from the line with its exit code, which Copilot CLI writes below. */
function withoutEnd(text: string, success: boolean | null): { text: string; isError: boolean | null } {
  const end = /\n?<(?:shellId: [^>]{0,100} completed|exited) with exit code (?<code>-?\d{1,10})>\s*$/u.exec(
    text,
  );
  if (end === null) return { text, isError: success === null ? null : !success };
  return { text: text.slice(0, end.index), isError: end.groups?.["code"] !== "0" };
}

function rowsOf(file: string): () => PastRows {
  return () => new CopilotHistory(path.basename(path.dirname(file)));
}

export const history: AgentHistory = {
  files: (input) =>
    copilotRoots(input)
      .flatMap((root) => findEventFiles(root).files)
      .map((file) => ({ ...file, rows: rowsOf(file.path) })),
  session: (transcript) => [{ path: transcript, rows: rowsOf(transcript) }],
};
