import { oneOf } from "../args.ts";
import type { Command } from "../ports.ts";
import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import { dayForms } from "../day-argument.ts";
import { backup, check, compact } from "./actions.ts";
import { exportFormats, exportLedger } from "./export.ts";
import { restore } from "./restore.ts";
import { status } from "./status.ts";

const help = `purser ledger: everything purser remembers, also of transcripts that are gone

  purser ledger status [--json]    where it is, what is in it, how far it has read; no service is started
  purser ledger check [--json]     look through all of it; exit code 1 when something is wrong
  purser ledger compact            give back the room of what was removed
  purser ledger export [--format json|csv|sqlite] [--since D] [--table NAME] [--output FILE]
  purser ledger backup FILE        write a copy that restore and any SQLite read
  purser ledger restore FILE       put a copy in the ledger's place; the one that was there is kept beside it

  --format   json (default) and sqlite hold all tables, csv holds one
  --since D  only what happened on this local day and later: ${dayForms}
  --table    of csv; responses when it is not told
  --output   a file that is not there yet; else it is printed
  --json     print JSON; its shape is in media/schemas/ledger.schema.json and ledger-check.schema.json
  --help     print this

check, compact and backup are done by the service, which is started when it does not run; restore ends it. The ledger is in
~/.purser (PURSER_HOME).
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
      output: { value: "a file that is not there yet" },
      help: {},
    },
    run: ({ options }, host) => exportLedger(options, host),
  },
  backup: {
    specs: { help: {} },
    first: { value: "a file", isMissing: "a FILE to write is needed" },
    run: ({ first }, host) => backup(first, host),
  },
  restore: {
    specs: { help: {} },
    first: { value: "a file", isMissing: "a FILE that backup wrote is needed" },
    run: ({ first }, host) => restore(first, host),
  },
};

const command = commandWithSubcommands("ledger", help, words);

/** Throws when interrupted: an interruption has no exit code of its own. */
export const ledgerCommand: Command = {
  help,
  syntax: command.syntax,
  run: async (argv, host) => {
    const code = await command.run(argv, host);
    host.signal.throwIfAborted();
    return code;
  },
};
