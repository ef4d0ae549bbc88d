import { readRowValue } from "../../transcripts/claude/read-row.ts";
import { readReplyDetails, readToolResults } from "../../transcripts/claude/row-details.ts";
import {
  isObject,
  objectAt,
  objectsAt,
  textAt,
  type RowObject,
} from "../../transcripts/claude/row-fields.ts";
import { parseJsonLine } from "../../transcripts/json-line.ts";
import { addUsage, noUsage, totalTokens, type TokenUsage } from "../../usage/token-usage.ts";
import type { TrajectoryTurn } from "../kept-trajectory.ts";
import { shortTarget, shortText } from "./short-target.ts";
import { TurnList } from "./turn-list.ts";

/** What one transcript's file is of. */
export interface TranscriptOf {
  readonly sessionId: string;
  /** Null for the session's main file. */
  readonly agentId: string | null;
}

/**
 * A run as its transcript's files tell it, line by line as they grow. A run's session is its own: nothing in it is copied from another.
 */
export class ClaudeTranscript {
  readonly #copy: string;
  readonly #turns: TurnList;
  #official: TokenUsage | null = null;
  #hasCompacted = false;

  /** @param copy the folder the agent works in; files below it are told by their path there */
  constructor(copy: string, startedAt: number) {
    this.#copy = copy;
    this.#turns = new TurnList(startedAt);
  }

  line(line: Buffer, { sessionId, agentId }: TranscriptOf): void {
    const parsed = parseJsonLine(line);
    if (parsed.kind !== "value" || !isObject(parsed.value)) return;
    const row = parsed.value;
    const reading = readRowValue(row, { sessionId });
    if (reading.outcome !== "known") return;
    for (const event of reading.events) {
      if (event.kind === "response") this.#turns.responded(event.response, agentId !== null);
      else if (event.kind === "compaction") this.#hasCompacted = true;
      else if (event.kind === "official-total")
        this.#official = event.models.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
      else if (event.kind === "model" && agentId === null) this.#turns.model = event.requestedModel;
    }
    if (row["type"] === "assistant") this.#reply(row);
    else if (row["type"] === "user")
      for (const { id, isError } of readToolResults(row)) this.#turns.returned(id, isError === true);
  }

  get turns(): readonly TrajectoryTurn[] {
    return this.#turns.turns();
  }

  /** @param sessionId as the agent told it, or null */
  trajectory(sessionId: string | null) {
    const told = this.#turns.told(sessionId);
    // No row tells what a compaction's own request used; the agent's own total does.
    const isMore =
      this.#hasCompacted && this.#official !== null && totalTokens(this.#official) > totalTokens(told.usage);
    return isMore && this.#official !== null ? { ...told, usage: this.#official } : told;
  }

  #reply(row: RowObject): void {
    const message = objectAt(row, "message");
    const messageId = textAt(message, "id");
    if (messageId === null) return;
    const blocks = objectsAt(message, "content");
    for (const block of blocks)
      if (block["type"] === "text") this.#turns.said(messageId, shortText(textAt(block, "text") ?? ""));
    for (const call of readReplyDetails(row).calls) {
      const input = objectAt(blocks.find((block) => block["id"] === call.id) ?? null, "input");
      const target = shortTarget(input, this.#copy);
      this.#turns.called(messageId, { id: call.id, tool: call.tool, target, reads: call.reads });
    }
  }
}
