import { sentence, compose, t } from "../../base/language.ts";
import { printingSignal } from "../standard-output.ts";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { type ExportOptions, type SharedExportOptions, exportedTables } from "../../ledger/export-ledger.ts";
import { cursorIn } from "../../ledger/machines.ts";
import { asLine } from "../terminal-text.ts";
import { throughService } from "../service/service-access.ts";
import { choiceIn, flag, oneOf, option, type ParsedOptions, wrongUsage } from "../args.ts";
import type { CliHost, Output } from "../cli-ports.ts";
import { dayForms, parseDay, startIn } from "../day-argument.ts";
import { openToRead, unreadable } from "./ledger-access.ts";
import { hasLedger, ledgerFiles } from "./ledger-files.ts";
import { existsSync } from "node:fs";

const exportFormats = ["json", "csv", "sqlite", "ndjson"] as const;
const sinceForms = `${dayForms}, or a cursor with --format ndjson`;
const tables = exportedTables.map(({ table }) => table);

export const exportOptionSpecs = {
  format: oneOf(
    exportFormats,
    "F",
    "json or sqlite for all tables, csv for one, ndjson for another machine of yours: names, sizes and counts (default: json)",
  ),
  since: {
    ...option(
      "D",
      sinceForms,
      `only since this local day: ${dayForms}; with ndjson, the cursor of an earlier export`,
    ),
    accepts: (text: string) => parseDay(text, 0) !== undefined || cursorIn(text) !== undefined,
  },
  titles: flag("with ndjson: also the titles of sessions and the descriptions of subagents"),
  paths: flag("with ndjson: also the paths of projects"),
  table: oneOf(tables, "NAME", "table to export as csv (default: responses)"),
  output: option("FILE", "a new file", "write to a new file (default: print)"),
};

/** Streams as fast as the reader takes it. */
export async function exportLedger(given: ParsedOptions, host: CliHost): Promise<Result<number>> {
  const options = exportOptions(given, host);
  if (!options.ok) return options;
  if (!hasLedger(host) && options.value.format !== "ndjson")
    return fail("failed", sentence("there is no ledger yet; purser service restart creates it"));
  const output = given.value("output");
  if (output === undefined && options.value.format === "sqlite" && host.stdout.isTTY === true)
    return fail("failed", sentence("SQLite cannot be printed in a terminal; use --output FILE"));
  const asOf = options.value.format === "ndjson" ? await readEverything(host) : null;
  const ledger = await openToRead(host);
  if (!ledger.ok) return unreadable(ledger);
  try {
    const { value } = options;
    const bytes = ledger.value.export(value.format === "ndjson" ? { ...value, asOf } : value);
    if (output !== undefined) return await writeFile(path.resolve(host.cwd, output), bytes, host);
    const signal = printingSignal(host);
    for await (const chunk of bytes) {
      if (signal.aborted) break;
      await taken(host.stdout, chunk, signal);
    }
    return succeed(0);
  } finally {
    await ledger.value.close();
  }
}

/**
 * Has the service read all transcripts, so that another machine gets what this one has.
 * @returns when they were read; null if no service can, and the ledger is as old as it is
 */
async function readEverything(host: CliHost): Promise<number | null> {
  const { snapshot } = ledgerFiles(host);
  const read = await throughService(host, async (client) => {
    const done = await client.ask("catchUp", {}, host.signal);
    // A ledger gets the name that cursors contain with its first snapshot.
    if (done.ok && !existsSync(snapshot)) await client.ask("compactLedger", {}, host.signal);
    return done;
  });
  host.signal.throwIfAborted();
  if (read.ok) return read.value.freshness.asOf;
  host.stderr.write(
    `${asLine(sentence("The transcripts are not read first: {why}", { why: read.detail }))}\n`,
  );
  return null;
}

type Exported = ExportOptions | Omit<SharedExportOptions, "asOf">;

function exportOptions(given: ParsedOptions, { now }: CliHost): Result<Exported, "bad_argument"> {
  const format = choiceIn(given, "format", exportFormats) ?? "json";
  const cursor = given.value("since") ?? null;
  const isCursor = cursor !== null && cursorIn(cursor) !== undefined;
  if (format === "ndjson") {
    if (cursor !== null && !isCursor)
      return wrongUsage(
        sentence("--since takes the cursor at the end of an earlier export with --format ndjson, not a day"),
      );
    if (given.has("table"))
      return wrongUsage(sentence("--table needs --format csv; the other formats contain all tables"));
    return succeed({ format, cursor, withTitles: given.has("titles"), withPaths: given.has("paths") });
  }
  if (isCursor) return wrongUsage(sentence("--since with a cursor needs --format ndjson"));
  if (given.has("titles") || given.has("paths"))
    return wrongUsage(sentence("--titles and --paths need --format ndjson; the other formats contain both"));
  const since = given.has("since") ? startIn(given, "today", now()) : null;
  const table = choiceIn(given, "table", tables);
  if (table === undefined) return succeed({ format, since });
  if (format !== "csv")
    return wrongUsage(sentence("--table needs --format csv; the other formats contain all tables"));
  return succeed({ format, since, table });
}

/** Resolves when the reader has room, or on an abort. */
function taken(output: Output, chunk: Uint8Array, signal: AbortSignal): Promise<void> {
  const isFull = output.write(chunk) === false;
  return new Promise((resolve) => {
    if (!isFull || output.once === undefined || signal.aborted) resolve();
    else {
      output.once("drain", resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}

async function writeFile(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  host: CliHost,
): Promise<Result<number>> {
  let size = 0;
  let isWhole = false;
  try {
    const handle = await open(file, "wx", 0o600);
    try {
      for await (const chunk of bytes) {
        if (host.signal.aborted) break;
        await handle.writeFile(chunk);
        size += chunk.length;
      }
      await handle.sync();
      isWhole = !host.signal.aborted;
    } finally {
      await handle.close();
      if (!isWhole) await rm(file, { force: true });
    }
  } catch (error) {
    const code = errorCode(error);
    return fail(
      "failed",
      code === "EEXIST"
        ? sentence("{0} already exists; choose another name", file)
        : compose`${file}: ${code}`,
    );
  }
  if (isWhole) host.stderr.write(`${t("{0}: {1} bytes", file, wholeNumber(size))}\n`);
  return succeed(0);
}
