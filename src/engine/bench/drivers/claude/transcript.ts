import { isObject } from "../../../base/parse.ts";
import { readRowValue, readWork, type RowWork } from "../../../transcripts/claude.ts";

import { parseJsonLine } from "../../../transcripts/file-tail.ts";
import { addUsage, noUsage, totalTokens, type TokenUsage } from "../../../usage/token-counts.ts";
import type { TrajectoryTurn } from "../../state/stored-trajectory.ts";
import { shortTarget, shortText, TurnList } from "../turn-list.ts";

export interface TranscriptOf {
  readonly sessionId: string;
  readonly agentId: string | null;
}

/**
 * Builds a run's trajectory from its transcript files, line by line as they grow. A run's session is new: nothing in it is copied from
 * another.
 */
export class ClaudeTranscript {
  readonly #copy: string;
  readonly #turns: TurnList;
  #official: TokenUsage | null = null;
  #hasCompacted = false;

  /** @param copy the folder the agent works in; paths below it are shown relative to it */
  constructor(copy: string, startedAt: number) {
    this.#copy = copy;
    this.#turns = new TurnList(startedAt);
  }

  /** @returns false where the line is not one record */
  line(line: Buffer, { sessionId, agentId }: TranscriptOf): boolean {
    const parsed = parseJsonLine(line);
    if (parsed.kind !== "value" || !isObject(parsed.value)) return parsed.kind !== "malformed";
    const row = parsed.value;
    const { version } = row;
    if (typeof version === "string") this.#turns.version = version;
    const reading = readRowValue(row, { sessionId });
    if (reading.outcome !== "known") return true;
    for (const event of reading.events) {
      if (event.kind === "response") this.#turns.responded(event.response, agentId !== null);
      else if (event.kind === "compaction") this.#hasCompacted = true;
      else if (event.kind === "official-total")
        this.#official = event.models.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
      else if (event.kind === "model" && agentId === null) this.#turns.model = event.requestedModel;
    }
    this.#worked(readWork(row));
    return true;
  }

  get turns(): readonly TrajectoryTurn[] {
    return this.#turns.turns();
  }

  /** @param sessionId as the agent reported it, or null */
  trajectory(sessionId: string | null) {
    const trajectory = this.#turns.trajectory(sessionId);
    // No row has the usage of a compaction's own request; the agent's official total includes it.
    const isMore =
      this.#hasCompacted &&
      this.#official !== null &&
      totalTokens(this.#official) > totalTokens(trajectory.usage);
    return isMore && this.#official !== null ? { ...trajectory, usage: this.#official } : trajectory;
  }

  #worked({ messageId, texts, calls, results }: RowWork): void {
    for (const { id, isError } of results) this.#turns.returned(id, isError);
    if (messageId === null) return;
    for (const text of texts) this.#turns.addText(messageId, shortText(text));
    for (const { id, tool, kind, input, file } of calls) {
      const target = shortTarget(input, this.#copy);
      this.#turns.called(messageId, { id, tool, target, reads: kind === "read" ? file : null });
    }
  }
}
