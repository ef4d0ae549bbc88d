import type { ResponseEvent } from "../../transcripts/event.ts";
import type { LedgerEntry } from "../entry.ts";
import type { EntryFile } from "./entry-reader.ts";
import { fittingId, fittingName } from "./fitting.ts";

type ResponseInput = Extract<LedgerEntry, { kind: "response" }>;

/**
 * Responses as entries, one for each copy that tells something new. The ledger counts copies by the rules of
 * `ResponseSet`; this only leaves out those that can change nothing: a response is written once a block, mostly all alike.
 */
export class ClaudeResponses {
  readonly #file: EntryFile;
  #last: ResponseInput | null = null;

  constructor(file: EntryFile) {
    this.#file = file;
  }

  read({ response, isCopy }: ResponseEvent, branch: string | null): ResponseInput[] {
    const messageId = fittingId(response.messageId);
    if (messageId === null) return [];
    const told: ResponseInput = {
      kind: "response",
      messageId,
      requestId: fittingName(response.requestId),
      sessionId: this.#file.sessionId,
      agentId: this.#file.agentId,
      model: fittingName(response.model) ?? "unknown",
      at: response.at,
      cwd: fittingName(response.cwd),
      branch: fittingName(branch),
      isSidechain: response.isSidechain,
      isCopy,
      usage: response.usage,
    };
    if (this.#last !== null && isRepeated(told, this.#last)) return [];
    this.#last = told;
    return [told];
  }
}

/** All that counts is the same, and it is no earlier: `ResponseSet` keeps the one that was told before. */
function isRepeated(told: ResponseInput, last: ResponseInput): boolean {
  return (
    told.messageId === last.messageId &&
    told.requestId === last.requestId &&
    told.isSidechain === last.isSidechain &&
    told.isCopy === last.isCopy &&
    told.usage.input === last.usage.input &&
    told.usage.output === last.usage.output &&
    told.usage.cacheCreation5m === last.usage.cacheCreation5m &&
    told.usage.cacheCreation1h === last.usage.cacheCreation1h &&
    told.usage.cacheRead === last.usage.cacheRead &&
    (told.at ?? Infinity) >= (last.at ?? Infinity)
  );
}
