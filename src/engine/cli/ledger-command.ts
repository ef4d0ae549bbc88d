import type { Command, CliHost } from "./cli-host.ts";
import { parseOptions, quoted, type OptionSpec, type ParsedOptions } from "./args.ts";
import { dayForms } from "./day-argument.ts";
import { backup, check, compact } from "./ledger-acts.ts";
import { exportLedger } from "./ledger-export.ts";
import { restore } from "./ledger-restore.ts";
import { status } from "./ledger-status.ts";

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

interface Act {
  readonly specs: Readonly<Record<string, OptionSpec>>;
  /** What the file that comes first is; undefined where there is none. */
  readonly file?: string;
  readonly run: (given: { options: ParsedOptions; file: string }, host: CliHost) => Promise<number>;
}

const acts: Readonly<Record<string, Act>> = {
  status: { specs: { json: {}, help: {} }, run: ({ options }, host) => status(options, host) },
  check: { specs: { json: {}, help: {} }, run: ({ options }, host) => check(options, host) },
  compact: { specs: { help: {} }, run: (_, host) => compact(host) },
  export: {
    specs: {
      format: { value: "json, csv or sqlite" },
      since: { value: dayForms },
      table: { value: "a table's name" },
      output: { value: "a file that is not there yet" },
      help: {},
    },
    run: ({ options }, host) => exportLedger(options, host),
  },
  backup: { specs: { help: {} }, file: "to write", run: ({ file }, host) => backup(file, host) },
  restore: { specs: { help: {} }, file: "that backup wrote", run: ({ file }, host) => restore(file, host) },
};

export const ledgerCommand: Command = { help, run };

async function run([name, ...rest]: readonly string[], host: CliHost): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h") {
    host.stdout.write(help);
    return name === undefined ? 2 : 0;
  }
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (act === undefined) {
    const known = Object.keys(acts).join(", ");
    host.stderr.write(`purser ledger: unknown word ${quoted(name)}; one of ${known} is needed\n`);
    return 2;
  }
  const [first] = rest;
  const isNamed = act.file !== undefined && first !== undefined && !first.startsWith("-");
  const options = parseOptions(isNamed ? rest.slice(1) : rest, act.specs);
  if (!options.ok) {
    host.stderr.write(`purser ledger ${name}: ${options.detail}\n`);
    return 2;
  }
  if (options.value.has("help")) {
    host.stdout.write(help);
    return 0;
  }
  if (act.file !== undefined && !isNamed) {
    host.stderr.write(`purser ledger ${name}: a FILE ${act.file} is needed\n`);
    return 2;
  }
  const code = await act.run({ options: options.value, file: isNamed ? first : "" }, host);
  host.signal.throwIfAborted();
  return code;
}
