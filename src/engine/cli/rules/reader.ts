import type { Result } from "../../base/result.ts";
import type { ReportView, RuleView } from "../../rules/answers.ts";

/** What only reads rules. */
export interface RulesReader {
  readonly list: () => Promise<Result<readonly RuleView[]>>;
  /** @param project whose runs are reported; null for all */
  readonly report: (project: string | null) => Promise<Result<{ readonly report: ReportView }>>;
}
