import type { Result } from "../../base/result.ts";
import type { ReportView, RuleView } from "../../rules/answers.ts";

export interface RulesReader {
  readonly list: () => Promise<Result<readonly RuleView[]>>;
  /** `project` is null for all. */
  readonly report: (project: string | null) => Promise<Result<{ readonly report: ReportView }>>;
}
