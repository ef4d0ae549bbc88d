import { existsSync } from "node:fs";
import path from "node:path";
import { purserPaths } from "../../base/paths.ts";
import type { CliHost } from "../cli-ports.ts";

export function ledgerFiles(host: Pick<CliHost, "env" | "home">): { snapshot: string; journal: string } {
  const { folder } = purserPaths(host);
  return { snapshot: path.join(folder, "ledger.sqlite"), journal: path.join(folder, "journal") };
}

export function hasLedger(host: Pick<CliHost, "env" | "home">): boolean {
  const { snapshot, journal } = ledgerFiles(host);
  return existsSync(snapshot) || existsSync(journal);
}
