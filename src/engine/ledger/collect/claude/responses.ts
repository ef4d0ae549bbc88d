import type { ResponseEvent } from "../../../transcripts/agent-session.ts";
import { type ApiResponse, isBetter } from "../../../usage/api-response.ts";
import { textOfTerms } from "../../../usage/price.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import type { EntryFile } from "../collect-source.ts";
import { branchOrNull, idOrNull, nameOrNull } from "../fitting.ts";

type ResponseInput = Extract<LedgerEntry, { kind: "response" }>;

/** The last entry produced, and its copy. */
interface LastResponse {
  readonly entry: ResponseInput;
  readonly copy: ApiResponse;
  /** Whether it has not been taken yet, and can still change. */
  isOpen: boolean;
}

/**
 * Turns responses into entries, one for each copy that adds information. The ledger counts copies by the rules of
 * `ResponseSet`; this class only leaves out copies that cannot change anything. A response is written once per block,
 * mostly with the same content, and of the copies that arrive before entries are taken one is enough.
 */
export class ClaudeResponses {
  readonly #file: EntryFile;
  #last: LastResponse | null = null;

  constructor(file: EntryFile) {
    this.#file = file;
  }

  read({ response, isCopy }: ResponseEvent, branch: string | null): ResponseInput[] {
    const messageId = idOrNull(response.messageId);
    if (messageId === null) return [];
    const entry: ResponseInput = {
      kind: "response",
      messageId,
      requestId: nameOrNull(response.requestId),
      sessionId: this.#file.sessionId,
      agentId: this.#file.agentId,
      model: nameOrNull(response.model) ?? "unknown",
      at: response.at,
      cwd: nameOrNull(response.cwd),
      branch: branchOrNull(branch),
      isSidechain: response.isSidechain,
      isCopy,
      usage: response.usage,
      ...detailsOf(response),
    };
    const copy = { ...response, messageId, requestId: nameOrNull(response.requestId) };
    const last = this.#last;
    if (last !== null && isRepeated(entry, last.entry)) return [];
    if (last?.isOpen === true && isSame(entry, last.entry)) {
      // Prefers the better of two copies, and the first of equally good ones, as the ledger does.
      if (isBetter(copy, last.copy)) this.#last = { ...last, entry: Object.assign(last.entry, entry), copy };
      return [];
    }
    this.#last = { entry, copy, isOpen: true };
    return [entry];
  }

  /** The entries so far have been taken and can no longer change. */
  markTaken(): void {
    if (this.#last !== null) this.#last.isOpen = false;
  }
}

/** The details that few responses have. */
function detailsOf({
  terms,
  lastCall,
}: ApiResponse): Pick<ResponseInput, "priceTerms" | "lastContext" | "lastOutput"> {
  const priceTerms = textOfTerms(terms);
  return {
    ...(priceTerms === null ? {} : { priceTerms }),
    ...(lastCall === undefined
      ? {}
      : { lastContext: lastCall?.context ?? 0, lastOutput: lastCall?.output ?? 0 }),
  };
}

/** Whether the ledger keeps only one of the two copies. */
function isSame(entry: ResponseInput, last: ResponseInput): boolean {
  return (
    entry.messageId === last.messageId &&
    entry.requestId === last.requestId &&
    entry.isSidechain === last.isSidechain &&
    entry.isCopy === last.isCopy
  );
}

/** Whether all counted figures are equal and the copy is no earlier: `ResponseSet` keeps the one it had before. */
function isRepeated(entry: ResponseInput, last: ResponseInput): boolean {
  return (
    isSame(entry, last) &&
    entry.usage.input === last.usage.input &&
    entry.usage.output === last.usage.output &&
    entry.usage.cacheCreation5m === last.usage.cacheCreation5m &&
    entry.usage.cacheCreation1h === last.usage.cacheCreation1h &&
    entry.usage.cacheRead === last.usage.cacheRead &&
    entry.priceTerms === last.priceTerms &&
    entry.lastContext === last.lastContext &&
    entry.lastOutput === last.lastOutput &&
    (entry.at ?? Infinity) >= (last.at ?? Infinity)
  );
}
