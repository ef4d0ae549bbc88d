import { existsSync } from "node:fs";
import path from "node:path";
import { purserPaths } from "../../base/paths.ts";
import type { CliHost } from "../cli-ports.ts";
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

export function ledgerFiles(host: Pick<CliHost, "env" | "home">): { snapshot: string; journal: string } {
  const { folder } = purserPaths(host);
  return { snapshot: path.join(folder, "ledger.sqlite"), journal: path.join(folder, "journal") };
}

export function hasLedger(host: Pick<CliHost, "env" | "home">): boolean {
  const { snapshot, journal } = ledgerFiles(host);
  return existsSync(snapshot) || existsSync(journal);
}
