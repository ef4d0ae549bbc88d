import { english } from "../../base/text/english.ts";
import { t } from "../../base/text/l10n.ts";
import { cleanText } from "../../base/text/text.ts";
import type { Freshness } from "../../ledger/answers.ts";
import { ledgerItself } from "../../ledger/itself.ts";
import { said } from "../language/said.ts";

/** Says what was not read, or why nothing is collected at all. */
export function describeProblem({ path, reason }: Freshness["problems"][number]): string {
  return path === ledgerItself
    ? said(takesInNothing(reason))
    : t("Could not read {0}: {1}", cleanText(path), said(reason));
}

export function takesInNothing(why: string): string {
  return english("The ledger takes in nothing new: {saidWhy}", { saidWhy: why });
}
