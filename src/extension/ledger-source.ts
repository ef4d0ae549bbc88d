import type { Disposable } from "../engine/base/disposable.ts";
import type { Result } from "../engine/base/result.ts";
import type { Freshness, LedgerFilter, Overview, SessionPage } from "../engine/ledger/answers.ts";

/**
 * - `offline`: there is nobody to ask now; a change is told when there is;
 * - `failed`: it was asked and could not answer.
 */
export type LedgerFailure = "offline" | "failed";

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
  /** An answer may be another than it was, or there is somebody to ask again. */
  onChange(listener: () => void): Disposable;
}
