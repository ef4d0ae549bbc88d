import { sentence } from "../../base/language.ts";
import { flag } from "../args.ts";
import { command } from "../command.ts";
import type { Command } from "../declaration.ts";
import { backup, check, compact } from "./ledger-actions.ts";
import { exportOptionSpecs, exportLedger } from "./export-ledger.ts";
import { restore } from "./restore.ts";
import { status } from "./ledger-status.ts";

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
      words: "[--format json|csv|sqlite] [--since D] [--table NAME] [--output FILE]",
      does: "write the ledger's tables",
      takes: ["format", "since", "table", "output"],
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
