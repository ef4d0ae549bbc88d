import { joined } from "../../row-values.ts";
import { unknownFigure } from "../../../usage/token-counts.ts";
import type { UsageRecord } from "../../../usage/aggregate.ts";
import type { AgentSession, SessionLines } from "../../agent-session.ts";
import { parseJsonLine } from "../../json-line.ts";
import { LineCounts } from "../../usage-reader.ts";
import { loggedCall, logRow, type LoggedCall } from "./copilot-log-rows.ts";
import { sentence } from "../../../base/language.ts";

export interface LogPlace {
  readonly sessionId: string;
  readonly cwd: string | null;
}

/** Reads the usage of a chat from Copilot's log: each call exactly. */
export class LogRecordLines implements SessionLines {
  readonly #counts = new LineCounts();
  readonly #place: LogPlace;
  readonly #calls = new Map<string, LoggedCall>();
  #model: string | null = null;
  #lastAt: number | null = null;

  constructor(place: LogPlace) {
    this.#place = place;
  }

  line(line: Buffer): boolean {
    const parsed = parseJsonLine(line);
    if (parsed.kind === "blank") return true;
    const row = logRow.safeParse(parsed.kind === "value" ? parsed.value : undefined).data;
    const call = row?.type === "llm_request" ? loggedCall(row) : null;
    if (row === undefined || call === undefined) {
      this.#counts.malformed += 1;
      return parsed.kind === "value";
    }
    const at = row.ts + (row.dur ?? 0);
    this.#lastAt = Math.max(at, this.#lastAt ?? at);
    if (call !== null) this.#calls.set(call.id, call);
    if (call?.isOfConversation === true) this.#model = call.model ?? this.#model;
    return true;
  }

  oversized(): void {
    this.#counts.oversized += 1;
  }

  session(): AgentSession {
    const unknown = unknownFigure(sentence("Copilot's log does not tell"));
    return {
      facts: {
        agent: "vscode-chat",
        ...this.#place,
        parentId: null,
        kind: "main",
        agentType: null,
        branch: null,
        title: null,
        agentVersion: null,
        model: this.#model,
        lastAt: this.#lastAt,
        window: unknown,
        contextLeft: unknown,
        rateLimits: [],
      },
      records: [...this.#calls.values()].map((call) => this.#record(call)),
      activity: { turns: [], calls: [], compactions: [], parts: [] },
      skipped: this.#counts.counts(),
    };
  }

  #record({ id, at, model, usage, raw }: LoggedCall): UsageRecord {
    const { sessionId, cwd } = this.#place;
    return {
      agent: "vscode-chat",
      sessionId,
      cwd,
      model,
      at,
      responseId: null,
      usage,
      raw,
      window: null,
      isReplay: false,
      key: joined("vscode-chat", sessionId, id),
    };
  }
}
