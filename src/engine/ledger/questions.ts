/** Questions to the ledger, and their answers. */
export type { QuestionAnswer, QuestionName, QuestionParams } from "./questions/questions.ts";
export type { FilePosition } from "./questions/queries.ts";
export type { GuardBook } from "./questions/guard-book.ts";
export type { UnjudgedCall } from "./questions/unjudged-calls.ts";
export type { SpentTokens } from "./questions/spent-tokens.ts";
export {
  ledgerGroupings,
  type FolderCount,
  type LastHook,
  type LedgerGrouping,
  type UseCounts,
} from "./questions/use-counts.ts";
