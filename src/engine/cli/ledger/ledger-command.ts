import path from "node:path";
import { sentence } from "../../base/language.ts";
import { flag } from "../args.ts";
import { command } from "../command.ts";
import type { Command } from "../declaration.ts";
import { backup, check, compact } from "./ledger-actions.ts";
import { exportOptionSpecs, exportLedger } from "./export-ledger.ts";
import { status } from "./ledger-status.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { restoreInThread } from "../../ledger/ledger-thread.ts";
import { takeHomeLock } from "../../service/build-stamp.ts";
import { ensurePrivateFolder } from "../../base/private-files.ts";
import { connectService } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";
import { printLine } from "./ledger-access.ts";
import { servicePorts } from "../service/service-access.ts";

const ledger = command({
  name: "ledger",
  title: "purser's database of past usage, including transcripts that are gone",
  options: {
    ...exportOptionSpecs,
    json: flag("print JSON (schema: media/schemas/ledger.schema.json and ledger-check.schema.json)"),
  },
  subcommands: {
    status: {
      words: "[--json]",
      does: "location, content and how far transcripts were read; starts no service",
      takes: ["json"],
      run: ({ options }, host) => status(options, host),
    },
    check: {
      words: "[--json]",
      does: "verify everything; exit code 1 if something is wrong",
      takes: ["json"],
      run: ({ options }, host) => check(options, host),
    },
    compact: { does: "free space of deleted data", run: (_, host) => compact(host) },
    export: {
      words:
        "[--format json|csv|sqlite|ndjson] [--since D] [--table NAME] [--titles] [--paths] [--output FILE]",
      does: "write the ledger's tables",
      takes: ["format", "since", "table", "titles", "paths", "output"],
      run: ({ options }, host) => exportLedger(options, host),
    },
    backup: {
      words: "FILE",
      does: "write a copy that restore and any SQLite program can read",
      argument: { offers: "file", isMissing: sentence("missing FILE to write") },
      run: ({ first }, host) => backup(first, host),
    },
    restore: {
      words: "FILE",
      does: "replace the ledger with a copy; the replaced one is kept beside it",
      argument: { offers: "file", isMissing: sentence("missing FILE written by purser ledger backup") },
      run: ({ first }, host) => restore(first, host),
    },
  },
  notes: `
check, compact and backup are done by the service, which is started if needed; restore stops it. The ledger is in ~/.purser (or PURSER_HOME).
`,
});

/** Throws when interrupted: an interruption has no separate exit code. */
export const ledgerCommand: Command = {
  ...ledger,
  run: async (argv, host) => {
    const code = await ledger.run(argv, host);
    host.signal.throwIfAborted();
    return code;
  },
};

/** Milliseconds. */
const maxStopTime = 15_000;

/** No service runs meanwhile, and none can start. */
async function restore(name: string, host: CliHost): Promise<Result<number>> {
  const ports = servicePorts(host);
  const { home } = ports;
  const own = ensurePrivateFolder(home.folder);
  if (!own.ok) return own;
  // A window starts another service as soon as its own ends. This lock makes it wait.
  const start = await takeHomeLock("start", ports);
  if (!start.ok) return fail("failed", sentence("a service is starting; try again in a moment"));
  try {
    const stopped = await stopService(ports);
    if (!stopped.ok) return stopped;
    if (stopped.value !== null)
      printLine(host, sentence("The service, process {0}, was stopped", stopped.value));
    return await putInPlace(path.resolve(host.cwd, name), home.folder, host);
  } finally {
    await start.value.release();
  }
}

/** The process that ended; null for none. */
async function stopService(ports: ReturnType<typeof servicePorts>): Promise<Result<number | null>> {
  const client = await connectService(ports);
  if (!client.ok)
    return client.reason === "not_running"
      ? succeed(null)
      : fail(client.reason, sentence("{0}; stop it with purser service stop --force", client.detail));
  const { pid } = client.value;
  const isEnded = await client.value.shutdown("asked", maxStopTime);
  client.value.dispose();
  return isEnded
    ? succeed(pid)
    : fail(
        "unresponsive",
        sentence("process {0} does not stop; stop it with purser service stop --force", pid),
      );
}

async function putInPlace(backup: string, folder: string, host: CliHost): Promise<Result<number>> {
  const { ledger, sqlWasm: wasmPath } = host.ledgerPrograms;
  const done = await restoreInThread({ folder, backup, wasmPath }, ledger);
  if (!done.ok) return fail("failed", sentence("{0}; the ledger was not changed", done.detail));
  printLine(
    host,
    sentence("{0} is now the ledger, with {1} entries", backup, wholeNumber(done.value.applied)),
  );
  return printLine(host, sentence("The previous ledger is in {0}", done.value.replaced));
}
