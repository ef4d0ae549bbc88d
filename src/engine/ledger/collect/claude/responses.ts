import type { ResponseEvent } from "../../../transcripts/event.ts";
import type { ApiResponse } from "../../../usage/api-response.ts";
import { isBetter } from "../../../usage/response-set.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import type { EntryFile } from "../entry-reader.ts";
import { fittingId, fittingName } from "../fitting.ts";

type ResponseInput = Extract<LedgerEntry, { kind: "response" }>;

/** What was told last, and the copy that it is. */
interface Told {
  readonly entry: ResponseInput;
  readonly copy: ApiResponse;
  /** Nobody has taken it yet. */
  isOpen: boolean;
}

/**
 * Responses as entries, one for each copy that tells something new. The ledger counts copies by the rules of
 * `ResponseSet`; this only leaves out those that can change nothing: a response is written once a block, mostly all alike, and of those that come
 * before entries are taken one is enough.
 */
export class ClaudeResponses {
  readonly #file: EntryFile;
  #last: Told | null = null;

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
    const copy = { ...response, messageId, requestId: fittingName(response.requestId) };
    const last = this.#last;
    if (last !== null && isRepeated(told, last.entry)) return [];
    if (last?.isOpen === true && isSame(told, last.entry)) {
      // As the ledger would: the better of two copies is kept, and the first where they are equally good.
      if (isBetter(copy, last.copy)) this.#last = { ...last, entry: Object.assign(last.entry, told), copy };
      return [];
    }
    this.#last = { entry: told, copy, isOpen: true };
    return [told];
  }

  /** What was told so far is out of reach. */
  taken(): void {
    if (this.#last !== null) this.#last.isOpen = false;
  }
}

/** Two copies of which the ledger keeps one. */
function isSame(told: ResponseInput, last: ResponseInput): boolean {
  return (
    told.messageId === last.messageId &&
    told.requestId === last.requestId &&
    told.isSidechain === last.isSidechain &&
    told.isCopy === last.isCopy
  );
}

/** All that counts is the same, and it is no earlier: `ResponseSet` keeps the one that was told before. */
function isRepeated(told: ResponseInput, last: ResponseInput): boolean {
  return (
    isSame(told, last) &&
    told.usage.input === last.usage.input &&
    told.usage.output === last.usage.output &&
    told.usage.cacheCreation5m === last.usage.cacheCreation5m &&
    told.usage.cacheCreation1h === last.usage.cacheCreation1h &&
    told.usage.cacheRead === last.usage.cacheRead &&
    (told.at ?? Infinity) >= (last.at ?? Infinity)
  );
}
