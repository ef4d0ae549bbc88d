import type { Result } from "../../base/result.ts";
import type { ReportView, RuleView } from "../../rules/answers.ts";

/** The read-only requests about rules. */
export interface RulesReader {
  readonly list: () => Promise<Result<readonly RuleView[]>>;
  /** @param project the project of the reported runs; null for all */
  readonly report: (project: string | null) => Promise<Result<{ readonly report: ReportView }>>;
}
