import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { purserPaths } from "../../base/paths.ts";
import { errorCode } from "../../base/result.ts";
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

/** A full disk may still take a few bytes. */
const probeBytes = 65_536;

/** Permissions do not show a full disk, or a file system that refuses. Returns the system's code; null if writing works. */
export function writingRefusal(folder: string): string | null {
  try {
    const probe = mkdtempSync(path.join(folder, ".purser-probe-"));
    try {
      writeFileSync(path.join(probe, "probe"), Buffer.alloc(probeBytes), { flush: true });
    } finally {
      rmSync(probe, { recursive: true, force: true });
    }
    return null;
  } catch (error) {
    return errorCode(error);
  }
}
