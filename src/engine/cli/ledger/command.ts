import { t } from "../../base/text/l10n.ts";
import { oneOf } from "../args.ts";
import type { Command } from "../cli-ports.ts";
import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import { dayForms } from "../day-argument.ts";
import { backup, check, compact } from "./ledger-actions.ts";
import { exportFormats, exportLedger } from "./export-ledger.ts";
import { restore } from "./restore.ts";
import { status } from "./ledger-status.ts";

const help = `purser ledger: purser's database of past usage, including transcripts that are gone

  purser ledger status [--json]    location, content and how far transcripts were read; starts no service
  purser ledger check [--json]     verify everything; exit code 1 if something is wrong
  purser ledger compact            free space of deleted data
  purser ledger export [--format json|csv|sqlite] [--since D] [--table NAME] [--output FILE]
                                   write the ledger's tables
  purser ledger backup FILE        write a copy that restore and any SQLite program can read
  purser ledger restore FILE       replace the ledger with a copy; the replaced one is kept beside it

  --format F     json or sqlite for all tables, csv for one (default: json)
  --since D      only since this local day: ${dayForms}
  --table NAME   table to export as csv (default: responses)
  --output FILE  write to a new file (default: print)
  --json         print JSON (schema: media/schemas/ledger.schema.json and ledger-check.schema.json)
  --help         print this help

check, compact and backup are done by the service, which is started if needed; restore stops it. The ledger is in ~/.purser (or PURSER_HOME).
`;

const words: Readonly<Record<string, Subcommand>> = {
  status: { specs: { json: {}, help: {} }, run: ({ options }, host) => status(options, host) },
  check: { specs: { json: {}, help: {} }, run: ({ options }, host) => check(options, host) },
  compact: { specs: { help: {} }, run: (_, host) => compact(host) },
  export: {
    specs: {
      format: oneOf(exportFormats),
      since: { value: dayForms },
      table: { value: "a table's name" },
      output: { value: "a new file" },
      help: {},
    },
    run: ({ options }, host) => exportLedger(options, host),
  },
  backup: {
    specs: { help: {} },
    first: { value: "a file", isMissing: t("missing FILE to write") },
    run: ({ first }, host) => backup(first, host),
  },
  restore: {
    specs: { help: {} },
    first: { value: "a file", isMissing: t("missing FILE written by purser ledger backup") },
    run: ({ first }, host) => restore(first, host),
  },
};

const command = commandWithSubcommands("ledger", help, words);

/** Throws when interrupted: an interruption has no separate exit code. */
export const ledgerCommand: Command = {
  help,
  syntax: command.syntax,
  run: async (argv, host) => {
    const code = await command.run(argv, host);
    host.signal.throwIfAborted();
    return code;
  },
};
