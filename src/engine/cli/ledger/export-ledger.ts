import { printingSignal } from "../standard-output.ts";
import { t, translated } from "../../base/text/l10n.ts";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { wholeNumber } from "../../base/text/local-format.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { ExportOptions } from "../../ledger/export-ledger.ts";
import { exportedTables } from "../../ledger/store/columns.ts";
import { quoted, type ParsedOptions } from "../args.ts";
import type { CliHost, Output } from "../cli-ports.ts";
import { dayForms, parseDay } from "../day-argument.ts";
import { ledgerFailed, openToRead, unreadable } from "./ledger-access.ts";
import { hasLedger } from "./ledger-files.ts";
import { usageError } from "../usage-error.ts";

export const exportFormats = ["json", "csv", "sqlite"] as const;

/** Streams the content of the ledger's files, as fast as the reader takes it. */
export async function exportLedger(given: ParsedOptions, host: CliHost): Promise<number> {
  const options = exportOptions(given, host);
  if (!options.ok) return usageError("ledger export", options.detail, host);
  if (!hasLedger(host))
    return ledgerFailed(host, t("there is no ledger yet; purser service restart creates it"));
  const output = given.value("output");
  if (output === undefined && options.value.format === "sqlite" && host.stdout.isTTY === true)
    return ledgerFailed(host, t("SQLite cannot be printed in a terminal; use --output FILE"));
  const ledger = await openToRead(host);
  if (!ledger.ok) return ledgerFailed(host, unreadable(ledger).detail);
  try {
    const bytes = ledger.value.export(options.value);
    if (output !== undefined) return await writeFile(path.resolve(host.cwd, output), bytes, host);
    const signal = printingSignal(host);
    for await (const chunk of bytes) {
      if (signal.aborted) break;
      await taken(host.stdout, chunk, signal);
    }
    return 0;
  } finally {
    await ledger.value.close();
  }
}

function exportOptions(given: ParsedOptions, { now }: CliHost): Result<ExportOptions, "bad_argument"> {
  const [asked, day, name] = [given.value("format") ?? "json", given.value("since"), given.value("table")];
  const format = exportFormats.find((each) => each === asked);
  if (format === undefined)
    return fail("bad_argument", t("--format {0} is not one of json, csv or sqlite", quoted(asked)));
  const since = day === undefined ? null : startOf(parseDay(day, now()));
  if (since === undefined)
    return fail("bad_argument", t("--{0} {1} is not {2}", "since", quoted(day ?? ""), translated(dayForms)));
  if (name === undefined) return succeed({ format, since });
  if (format !== "csv")
    return fail("bad_argument", t("--table needs --format csv; the other formats contain all tables"));
  const known = exportedTables.map((each) => each.table);
  const table = known.find((each) => each === name);
  return table === undefined
    ? fail("bad_argument", t("--{0} {1} is not one of {2}", "table", quoted(name), known.join(", ")))
    : succeed({ format, since, table });
}

/** Returns the first moment of a local calendar day. Milliseconds since the epoch. */
function startOf(day: string | undefined): number | undefined {
  if (day === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}

/** Writes a chunk; resolves when the reader has room for more, or on an abort. */
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

async function writeFile(file: string, bytes: AsyncIterable<Uint8Array>, host: CliHost): Promise<number> {
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
    return ledgerFailed(
      host,
      code === "EEXIST" ? t("{0} already exists; choose another name", file) : `${file}: ${code}`,
    );
  }
  if (isWhole) host.stderr.write(`${t("{0}: {1} bytes", file, wholeNumber(size))}\n`);
  return 0;
}
