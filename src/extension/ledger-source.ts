import type { Disposable } from "../engine/base/disposable.ts";
import type { Result } from "../engine/base/result.ts";
import type { Freshness, LedgerFilter, Overview, SessionPage } from "../engine/ledger/answers.ts";

/**
 * - `starting`: there is nobody to ask yet; a change is told when there is, or will not be;
 * - `offline`: there is nobody to ask, and the detail says why in the user's words; a change is told when there is;
 * - `failed`: it was asked and could not answer.
 */
export type LedgerFailure = "starting" | "offline" | "failed";

/** Where the Ledger panel has its answers from. */
export interface LedgerSource {
  overview(
    filter: LedgerFilter,
    signal: AbortSignal,
  ): Promise<Result<{ readonly overview: Overview; readonly freshness: Freshness }, LedgerFailure>>;
  /** `page` is null when the ledger knows no such session. */
  sessionPage(
    id: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly page: SessionPage | null; readonly freshness: Freshness }, LedgerFailure>>;
  /** Looks for somebody to ask because a person wants to; ends when it is known how that went. */
  retry(): Promise<void>;
  /** An answer may be another than it was. `isAnew`: because there is another service, or none. */
  onChange(listener: (isAnew: boolean) => void): Disposable;
}
