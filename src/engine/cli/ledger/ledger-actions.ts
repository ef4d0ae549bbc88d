import { toSentence } from "../../base/sentence-schema.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { throughService } from "../service/service-access.ts";
import { takesInNothing, ledgerItself } from "../../ledger/remedy.ts";
import type { LedgerStatus } from "../../ledger/ledger-requests.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import { wholeNumber } from "../../base/local-format.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { purserPaths } from "../../base/paths.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { printLine } from "./ledger-access.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { LedgerCheckJson } from "./ledger-status.ts";
import { asLine } from "../terminal-text.ts";

export const damagedRemedy = sentence(
  "purser service restart moves what is damaged aside and reads the transcripts again; purser ledger restore replaces it with a backup",
);

/** Nothing moves it aside automatically: another version may be able to read it. */
export function unreadableRemedy(host: Pick<CliHost, "env" | "home">): Sentence {
  return sentence(
    "purser ledger restore FILE replaces it with a backup. Without one: purser service stop, move all ledger* and the journal out of {0}, and purser service start reads the transcripts that are still there",
    purserPaths(host).folder,
  );
}

/** Why an intact ledger cannot record, such as a full disk. Undefined if it can. */
export function blockedBy({
  readOnly,
  freshness,
}: Pick<LedgerStatus, "readOnly" | "freshness">): Sentence | undefined {
  const why = readOnly ?? freshness.problems.find(({ path: of }) => of === ledgerItself)?.reason;
  return why === undefined ? undefined : takesInNothing(why);
}

export function check(options: ParsedOptions, host: CliHost): Promise<Result<number>> {
  return throughService(host, async (client) => {
    const reply = await client.ask("checkLedger", {}, host.signal);
    if (!reply.ok) return reply;
    const status = await client.ask("ledgerStatus", {}, host.signal);
    if (!status.ok) return status;
    const damage = reply.value.faults.map(toSentence);
    const blocked = blockedBy(status.value);
    const faults = [...damage, ...(blocked === undefined ? [] : [blocked])];
    const json: LedgerCheckJson = { schema: 1, faults };
    if (options.has("json")) host.stdout.write(`${printedJson(json, 2)}\n`);
    else if (faults.length === 0) printLine(host, sentence("The ledger is fine"));
    else for (const fault of faults) printLine(host, fault);
    if (faults.length === 0) return succeed(0);
    if (damage.length > 0) host.stderr.write(`${asLine(damagedRemedy)}\n`);
    return succeed(1);
  });
}

export function compact(host: CliHost): Promise<Result<number>> {
  return throughService(host, async (client) => {
    const done = await client.ask("compactLedger", {}, host.signal);
    if (!done.ok) return done;
    return printLine(host, sentence("The ledger now has {0} bytes", wholeNumber(done.value.bytes)));
  });
}

export function backup(name: string, host: CliHost): Promise<Result<number>> {
  const file = path.resolve(host.cwd, name);
  if (existsSync(file))
    return Promise.resolve(fail("failed", sentence("{0} already exists; choose another name", file)));
  return throughService(host, async (client) => {
    const done = await client.ask("backupLedger", { file }, host.signal);
    if (!done.ok) return done;
    return printLine(host, sentence("{0}: {1} bytes", cleanText(file), wholeNumber(done.value.bytes)));
  });
}
