import type { ResponseEvent } from "../../../transcripts/event.ts";
import type { ApiResponse } from "../../../usage/api-response.ts";
import { isBetter } from "../../../usage/response-set.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import type { EntryFile } from "../entry-reader.ts";
import { fittingId, fittingName } from "../fitting.ts";

type ResponseInput = Extract<LedgerEntry, { kind: "response" }>;

/** The last entry produced, and the copy it stands for. */
interface Told {
  readonly entry: ResponseInput;
  readonly copy: ApiResponse;
  /** Whether it has not been taken yet, and can still change. */
  isOpen: boolean;
}

/**
 * Turns responses into entries, one for each copy that adds information. The ledger counts copies by the rules of
 * `ResponseSet`; this only leaves out those that cannot change anything: a response is written once per block, mostly
 * with the same content, and of the copies that arrive before entries are taken one is enough.
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
      // Like the ledger, prefers the better of two copies, and the first of equally good ones.
      if (isBetter(copy, last.copy)) this.#last = { ...last, entry: Object.assign(last.entry, told), copy };
      return [];
    }
    this.#last = { entry: told, copy, isOpen: true };
    return [told];
  }

  /** The entries so far have been taken and can no longer change. */
  taken(): void {
    if (this.#last !== null) this.#last.isOpen = false;
  }
}

/** Whether the ledger keeps only one of the two copies. */
function isSame(told: ResponseInput, last: ResponseInput): boolean {
  return (
    told.messageId === last.messageId &&
    told.requestId === last.requestId &&
    told.isSidechain === last.isSidechain &&
    told.isCopy === last.isCopy
  );
}

/** Whether everything that counts is equal and the copy is no earlier: `ResponseSet` keeps the one it had before. */
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
