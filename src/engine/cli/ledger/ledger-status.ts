import path from "node:path";
import * as z from "zod/mini";
import { compose, t } from "../../base/language.ts";
import { cellsOf, padCells } from "../text-cells.ts";
import { existsSync, readdirSync, statSync } from "node:fs";
import { type Result, succeed, rethrowUnlessSystemError } from "../../base/result.ts";
import { decimalNumber, wholeNumber } from "../../base/local-format.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { describeOpening } from "../../ledger/ledger-thread.ts";
import { agentRoots } from "../../transcripts/agents.ts";
import type { LedgerStatus } from "../../ledger/ledger-requests.ts";
import { withRefusalRemedy } from "../../base/files.ts";
import { writingRefusal, describeProblem, hasLedger, ledgerFiles } from "./ledger-files.ts";
import { purserPaths } from "../../base/paths.ts";
import { connectService } from "../../service/client.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { takesInNothing } from "../../ledger/remedy.ts";
import { openToRead, unreadable } from "./ledger-access.ts";
import { servicePorts } from "../service/service-access.ts";
import { styleFor } from "../style.ts";
import { describeTime, asLine } from "../terminal-text.ts";
import { described, sentenceSchema } from "../../base/sentence-schema.ts";

const count = z.int().check(z.nonnegative());

export const ledgerJson = z
  .strictObject({
    schema: z.literal(1),
    exists: z.boolean(),
    source: described(
      z.nullable(z.enum(["service", "files"])),
      "Who tells: the service that runs, or the ledger's files; null when there is no ledger.",
    ),
    readOnly: described(z.nullable(sentenceSchema), "Why the service does not write to it, or null."),
    opening: described(z.array(sentenceSchema), "What opening it found that a person should know."),
    responses: described(z.nullable(count), "API responses in it, each counted once."),
    asOf: described(
      z.nullable(z.iso.datetime()),
      "What was in the transcripts up to then is in it; null when nobody knows.",
    ),
    files: described(
      z.nullable(count),
      "Transcripts that are read in the pass that runs; as many as `done` when none does.",
    ),
    done: described(z.nullable(count), "Those of them that have been read."),
    problems: described(
      z.array(z.strictObject({ path: z.string(), reason: sentenceSchema })),
      "What could not be read.",
    ),
    snapshotBytes: count,
    journalBytes: count,
    roots: described(z.array(z.string()), "Folders looked in."),
    home: described(z.string(), "The folder of what is purser's own."),
  })
  .check(z.meta({ title: "purser ledger status --json" }));
type LedgerJson = z.infer<typeof ledgerJson>;

export const ledgerCheckJson = z
  .strictObject({
    schema: z.literal(1),
    faults: described(z.array(sentenceSchema), "What is wrong, in words; empty when all is well."),
  })
  .check(z.meta({ title: "purser ledger check --json" }));
export type LedgerCheckJson = z.infer<typeof ledgerCheckJson>;

/** Asks the running service, else reads the files. */
export async function status(options: ParsedOptions, host: CliHost): Promise<Result<number>> {
  const reply = await askService(host);
  if (reply?.ok === false) return reply;
  const read = reply ?? (hasLedger(host) ? await readFiles(host) : null);
  if (read?.ok === false) return read;
  const outcome = toJson(read?.value ?? null, { isServed: reply !== null }, host);
  if (options.has("json")) host.stdout.write(`${printedJson(outcome, 2)}\n`);
  else print(outcome, host);
  if (reply === null) warnOfRefusal(host);
  return succeed(0);
}

/** Without a service, only this shows that none can start. */
function warnOfRefusal(host: CliHost): void {
  const { folder } = purserPaths(host);
  const code = existsSync(folder) ? writingRefusal(folder) : null;
  if (code === null) return;
  const why = takesInNothing(withRefusalRemedy(compose`${folder}: ${code}`));
  host.stderr.write(`${asLine(why)}\n`);
}

/** Null when no service runs. */
async function askService(host: CliHost): Promise<Result<LedgerStatus> | null> {
  const client = await connectService(servicePorts(host));
  if (!client.ok) return client.reason === "not_running" ? null : client;
  const answer = await client.value.ask("ledgerStatus", {}, host.signal);
  client.value.dispose();
  return answer;
}

async function readFiles(host: CliHost): Promise<Result<LedgerStatus>> {
  const ledger = await openToRead(host);
  if (!ledger.ok) return unreadable(ledger);
  const { totals } = await ledger.value.ask("usage", { by: "model", since: null, until: null });
  const { report, readOnly } = ledger.value;
  await ledger.value.close();
  return succeed({
    readOnly: readOnly?.reason === "asked" ? null : (readOnly?.detail ?? null),
    opening: describeOpening(report),
    responses: totals.responses,
    places: agentRoots(host),
    freshness: { asOf: null, files: 0, done: 0, problems: [] },
  });
}

function toJson(answer: LedgerStatus | null, { isServed }: { isServed: boolean }, host: CliHost): LedgerJson {
  const { snapshot, journal } = ledgerFiles(host);
  const asOf = answer?.freshness.asOf ?? null;
  return {
    schema: 1,
    exists: answer !== null,
    source: answer === null ? null : isServed ? "service" : "files",
    readOnly: answer?.readOnly ?? null,
    opening: answer?.opening ?? [],
    responses: answer?.responses ?? null,
    asOf: asOf === null ? null : new Date(asOf).toISOString(),
    files: isServed ? (answer?.freshness.files ?? null) : null,
    done: isServed ? (answer?.freshness.done ?? null) : null,
    problems: answer?.freshness.problems ?? [],
    snapshotBytes: sizeOf(snapshot),
    journalBytes: sizeOfAll(journal),
    roots: answer?.places ?? agentRoots(host),
    home: purserPaths(host).folder,
  };
}

function print(ledger: LedgerJson, host: CliHost): void {
  const style = styleFor(host);
  if (!ledger.exists) {
    host.stdout.write(`${style.bold(t("no ledger yet"))}\n`);
    host.stdout.write(
      `${t("The service creates it in {0}: purser service restart", cleanText(ledger.home))}\n`,
    );
    return;
  }
  const { responses, asOf, files, done } = ledger;
  const isReading = files !== null && done !== null && done < files;
  const reading = isReading ? [[t("reading"), t("{0} of {1}", wholeNumber(done), wholeNumber(files))]] : [];
  const lines = [
    [t("responses"), responses === null ? t("unknown") : wholeNumber(responses)],
    [t("as of"), asOf === null ? t("unknown") : describeTime(Date.parse(asOf), host.now())],
    ...reading,
    [t("snapshot"), sizeText(ledger.snapshotBytes)],
    [t("journal"), sizeText(ledger.journalBytes)],
    [t("folder"), cleanText(ledger.home)],
  ];
  // The longest name may be one that is not always there.
  const width = Math.max(11, ...lines.map(([name = ""]) => cellsOf(name)));
  for (const [name = "", value = ""] of lines)
    host.stdout.write(`${style.bold(padCells(name, width))}  ${value}\n`);
  if (ledger.source === "files")
    host.stderr.write(`${t("The service is not running, so new transcripts are not read.")}\n`);
  if (ledger.readOnly !== null) host.stderr.write(`${t("It is read-only: {0}", asLine(ledger.readOnly))}\n`);
  for (const line of ledger.opening) host.stderr.write(`${asLine(line)}\n`);
  // A read-only ledger is its own first problem.
  for (const problem of ledger.problems.filter(({ reason }) => reason.text !== ledger.readOnly?.text))
    host.stderr.write(`${describeProblem(problem)}\n`);
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return t("{0} bytes", wholeNumber(bytes));
  if (bytes < 999_500) return t("{0} kB", wholeNumber(bytes / 1000));
  return t("{0} MB", decimalNumber(bytes / 1_000_000, 1));
}

/** Bytes; 0 for a missing file. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function sizeOfAll(folder: string): number {
  try {
    return readdirSync(folder).reduce((sum, name) => sum + sizeOf(path.join(folder, name)), 0);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return 0;
  }
}
