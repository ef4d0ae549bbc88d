import { toSentence } from "../../base/sentence-schema.ts";
import { joinSentences, sentence } from "../../base/language.ts";
import { describeOpening } from "../../ledger/ledger-thread.ts";
import { rowsLeftOut } from "../../ledger/export-ledger.ts";
import { type LedgerRefusal, ledgerRemedy, ledgerItself } from "../../ledger/remedy.ts";
import type { LastHook } from "../../ledger/questions.ts";
import type { ServiceClient } from "../../service/client.ts";
import { purserPaths } from "../../base/paths.ts";
import { blockedBy, damagedRemedy, unreadableRemedy } from "../ledger/ledger-actions.ts";
import { openToRead } from "../ledger/ledger-access.ts";
import { hasLedger } from "../ledger/ledger-files.ts";
import type { CliHost } from "../cli-ports.ts";
import { note, ok, problem } from "./diagnosis.ts";
import type { Finding } from "./doctor-schema.ts";

export interface FoundLedger {
  readonly findings: readonly Finding[];
  readonly lastHooks: readonly LastHook[];
}

/** Older answers are ignored. Milliseconds. */
const longAgo = 30 * 24 * 60 * 60_000;

/** Reads the files without writing, and asks the service whether the ledger is intact. */
export async function findLedger(client: ServiceClient | null, host: CliHost): Promise<FoundLedger> {
  if (!hasLedger(host)) {
    const what = sentence(
      "There is no ledger yet; the service will create it in {0}.",
      purserPaths(host).folder,
    );
    return { findings: [note("ledger", what, "purser service start")], lastHooks: [] };
  }
  const ledger = await openToRead(host);
  if (!ledger.ok)
    return {
      findings: [
        problem(
          "ledger",
          sentence("The ledger cannot be read: {0}", ledger.detail),
          ledgerRemedy(ledger) ?? unreadableRemedy(host),
        ),
      ],
      lastHooks: [],
    };
  try {
    const { report } = ledger.value;
    const { setAside, journal, unfitting } = report;
    const isDamaged =
      setAside.length > 0 ||
      journal.faulty.length > 0 ||
      journal.lost > 0 ||
      journal.damagedLines > 0 ||
      unfitting.length > 0;
    const lastHooks = await ledger.value.ask("lastHooks", host.now() - longAgo);
    const served = client === null ? [] : await askService(client, ledger.value.readOnly, host);
    const words = joinSentences(describeOpening(report), ". ");
    const damage = isDamaged
      ? [
          problem(
            "ledger",
            sentence(
              "The ledger is damaged: {0}",
              words.text === "" ? sentence("lines of its journal") : words,
            ),
            damagedRemedy,
          ),
        ]
      : [];
    const findings = [...damage, ...served];
    return {
      findings:
        findings.length > 0 ? findings : [ok("ledger", sentence("The ledger is readable and intact."))],
      lastHooks,
    };
  } finally {
    await ledger.value.close();
  }
}

/** `found`: why the files are only read here. One reason is that a newer version wrote them. */
async function askService(
  client: ServiceClient,
  found: LedgerRefusal | null,
  { signal }: CliHost,
): Promise<Finding[]> {
  const status = await client.ask("ledgerStatus", {}, signal);
  // A service without a ledger, or another version's, does not know.
  if (!status.ok)
    return [
      note(
        "ledger-served",
        sentence("The service reports no ledger: {0}", status.detail),
        "purser service logs",
      ),
    ];
  const { readOnly, freshness } = status.value;
  const checked = await client.ask("checkLedger", {}, signal);
  const faults = checked.ok ? checked.value.faults : [];
  const blocked = blockedBy(status.value);
  return [
    ...(blocked === undefined
      ? []
      : [
          problem(
            readOnly === null ? "ledger-blocked" : "ledger-read-only",
            blocked,
            ledgerRemedy({ reason: found?.reason ?? "", detail: blocked }) ?? "purser service restart",
          ),
        ]),
    ...(faults.length === 0
      ? []
      : [
          problem(
            "ledger",
            sentence("The ledger has faults: {0}", joinSentences(faults.slice(0, 3).map(toSentence), ". ")),
            damagedRemedy,
          ),
        ]),
    ...freshness.problems
      .filter(({ path }) => path !== ledgerItself)
      .slice(0, 3)
      .map(({ path, reason }) =>
        reason.text === rowsLeftOut.text
          ? note(
              "transcript-rows",
              sentence("Not all of it counts: {0}", reason),
              sentence("Delete the longest line of this file, which no model can have read."),
              path,
            )
          : note(
              "transcript",
              sentence("It could not be read: {0}", reason),
              sentence("Check its permissions."),
              path,
            ),
      ),
  ];
}
