import type { Sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { LedgerThread } from "../../ledger/ledger-thread.ts";
import { type RulesLedger, readKnown, readReport, ruleViewOf } from "../../rules/book.ts";
import { createNeedsFinder } from "../../rules/needs-here.ts";
import type { CliHost } from "../cli-ports.ts";
import type { ReportView, RuleView } from "../../rules/rules-answers.ts";

export interface RulesReader {
  readonly list: () => Promise<Result<readonly RuleView[]>>;
  /** `project` is null for all. */
  readonly report: (project: string | null) => Promise<Result<{ readonly report: ReportView }>>;
}

/** `whyNot`: why nothing can be changed. */
export function rulesOnDisk(
  thread: LedgerThread,
  { env, home: userHome, now, suite }: CliHost,
  whyNot: Sentence,
): RulesReader {
  const ledger: RulesLedger = {
    ask: async (name, params) => succeed(await thread.ask(name, params)),
    append: (): Promise<Result<unknown>> => Promise.resolve(fail("read_only", whyNot)),
  };
  const ports = { ledger, clock: { now } };
  return {
    list: async () => {
      const known = await readKnown(ports);
      if (!known.ok) return known;
      const { rules, rent } = known.value;
      return succeed(rules.rules.map((rule) => ruleViewOf(rule, rules, rent)));
    },
    report: (project) => {
      const needs = createNeedsFinder({ golden: suite.folder, env, userHome });
      // Only the service knows the weights of tasks that were measured.
      return readReport({ project, taskWeights: new Map() }, { ...ports, needs });
    },
  };
}
