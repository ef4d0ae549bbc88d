import { t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import type { Freshness } from "../../ledger/ledger-answers.ts";
import { takesInNothing, ledgerItself } from "../../ledger/remedy.ts";
import { asLine } from "../terminal-text.ts";

export function describeProblem({ path, reason }: Freshness["problems"][number]): string {
  return path === ledgerItself
    ? asLine(takesInNothing(reason))
    : t("Could not read {0}: {1}", cleanText(path), asLine(reason));
}
