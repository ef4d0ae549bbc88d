import { existsSync } from "node:fs";
import { sentence, t } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { labelFrom, nameOwnMachine, ownLabel, purserPaths } from "../../base/paths.ts";
import { ensurePrivateFolder } from "../../base/private-files.ts";
import { cleanText } from "../../base/text.ts";
import { flag, option, wrongUsage, type ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import type { CliHost } from "../cli-ports.ts";
import { throughService } from "../service/service-access.ts";
import { styleFor } from "../style.ts";
import { alignColumns } from "../table.ts";
import { asLine } from "../terminal-text.ts";
import { readMachines, writeMachines, type KnownMachine } from "./machines-file.ts";
import { syncMachine } from "./sync-machine.ts";
import { addressIn } from "./transport.ts";

const isMissing = sentence("missing ssh://HOST, wsl://NAME, docker://NAME or a folder");

export const machinesCommand = command({
  name: "machines",
  title: "the usage of your other machines, merged into this one's ledger",
  options: {
    label: option("NAME", "a name", "what the machine is called here (default: what it calls itself)"),
    command: option("WORDS", "a command", "how purser is started there (default: purser)"),
    titles: flag("also take the titles of sessions and the descriptions of subagents"),
    paths: flag("also take the paths of projects"),
  },
  subcommands: {
    add: {
      words:
        "ssh://HOST|wsl://NAME|docker://NAME|FOLDER [--label NAME] [--command WORDS] [--titles] [--paths]",
      does: "add a machine and merge its usage for the first time",
      argument: { offers: "folder", isMissing },
      takes: ["label", "command", "titles", "paths"],
      run: ({ first, options }, host) => add(first, options, host),
    },
    list: { does: "your machines, and how old what is known of each one is", run: (_, host) => list(host) },
    sync: {
      words: "[NAME]",
      does: "merge what is new on all machines, or on one",
      argument: {},
      run: ({ first }, host) => sync(first, host),
    },
    label: {
      words: "NAME",
      does: "name this machine",
      argument: { isMissing: sentence("missing NAME for this machine") },
      run: ({ first }, host) => label(first, host),
    },
    remove: {
      words: "NAME",
      does: "remove a machine with everything that came from it",
      argument: { isMissing: sentence("missing NAME or address of a machine") },
      run: ({ first }, host) => remove(first, host),
    },
  },
  notes: `
The other machine runs purser ledger export over ssh, wsl.exe or docker, which must work without a question; no port is opened. A folder holds files that purser ledger export --format ndjson --output wrote on other machines.

Only names, sizes and counts leave a machine. Each response counts once, on whichever machines its session is.
`,
});

async function add(given: string, options: ParsedOptions, host: CliHost): Promise<Result<number>> {
  const address = addressIn(given, host.cwd);
  if (!address.ok) return address;
  const known = readMachines(purserPaths(host).machines);
  if (!known.ok) return known;
  const wanted = options.value("label");
  const own = wanted === undefined ? null : labelFrom(wanted);
  if (wanted !== undefined && own === null) return wrongUsage(sentence("--label needs a visible name"));
  const machine: KnownMachine = {
    address: address.value,
    command: (options.value("command") ?? "purser").split(" ").filter((word) => word !== ""),
    titles: options.has("titles"),
    paths: options.has("paths"),
    label: own,
    ids: known.value.find((each) => each.address === address.value)?.ids ?? [],
    syncedAt: null,
    asOf: null,
  };
  if (machine.command.length === 0 || machine.command[0]?.startsWith("-") === true)
    return wrongUsage(sentence("--command needs a program"));
  if (!address.value.includes("://") && !existsSync(address.value))
    return fail(
      "failed",
      sentence("{0} does not exist; create the folder that both machines share", address.value),
    );
  return await syncAll([machine], host);
}

/** Stores each machine as soon as it is merged. A machine that was just added is kept only if it answered. */
async function syncAll(machines: readonly KnownMachine[], host: CliHost): Promise<Result<number>> {
  const { machines: file } = purserPaths(host);
  let failed = 0;
  const done = await throughService(host, async (client) => {
    for (const machine of machines) {
      const synced = await syncMachine({ machine, client, host });
      host.signal.throwIfAborted();
      if (!synced.ok) {
        failed += 1;
        host.stderr.write(`${asLine(synced.detail)}\n`);
        continue;
      }
      const { ids, rows, unreadable, asOf, ahead } = synced.value;
      const known = readMachines(file);
      if (!known.ok) return known;
      const others = known.value.filter(({ address }) => address !== machine.address);
      writeMachines(file, [...others, { ...machine, ids, asOf, syncedAt: host.now() }]);
      const names = ids.map((each) => cleanText(each.label)).join(", ");
      host.stdout.write(`${t("{0}: {1} rows merged", names, wholeNumber(rows))}\n`);
      if (unreadable > 0)
        host.stderr.write(
          `${t("{0} rows are not understood: update purser here.", wholeNumber(unreadable))}\n`,
        );
      if (Math.abs(ahead) > tolerated)
        host.stderr.write(
          `${t("The clock of {0} differs by {1} minutes: its days may be other days here.", names, wholeNumber(Math.round(ahead / 60_000)))}\n`,
        );
    }
    return succeed(0);
  });
  if (!done.ok) return done;
  return succeed(failed === 0 ? 0 : 1);
}

/** Milliseconds. */
const tolerated = 5 * 60_000;

async function sync(name: string, host: CliHost): Promise<Result<number>> {
  const known = readMachines(purserPaths(host).machines);
  if (!known.ok) return known;
  if (known.value.length === 0)
    return fail("failed", sentence("there is no other machine yet; purser machines add ssh://HOST adds one"));
  const chosen = name === "" ? known.value : known.value.filter((machine) => isNamed(machine, name));
  return chosen.length === 0 ? unknown(name) : await syncAll(chosen, host);
}

async function remove(name: string, host: CliHost): Promise<Result<number>> {
  const { machines: file } = purserPaths(host);
  const known = readMachines(file);
  if (!known.ok) return known;
  const gone = known.value.filter((machine) => isNamed(machine, name));
  if (gone.length === 0) return unknown(name);
  const kept = known.value.filter((machine) => !gone.includes(machine));
  const stays = new Set(kept.flatMap(({ ids }) => ids.map(({ id }) => id)));
  return await throughService(host, async (client) => {
    for (const { id } of gone.flatMap(({ ids }) => ids)) {
      if (stays.has(id)) continue;
      const done = await client.ask("forgetMachine", { id }, host.signal);
      if (!done.ok) return done;
    }
    writeMachines(file, kept);
    host.stdout.write(`${t("{0} is removed, with all that came from it.", cleanText(name))}\n`);
    return succeed(0);
  });
}

function label(name: string, host: CliHost): Result<number> {
  const own = labelFrom(name);
  if (own === null) return wrongUsage(sentence("missing NAME for this machine"));
  const { folder, ownMachine: file } = purserPaths(host);
  const ensured = ensurePrivateFolder(folder);
  if (!ensured.ok) return ensured;
  nameOwnMachine(file, own);
  host.stdout.write(`${t("This machine is called {0}.", own)}\n`);
  return succeed(0);
}

function list(host: CliHost): Result<number> {
  const paths = purserPaths(host);
  const known = readMachines(paths.machines);
  if (!known.ok) return known;
  const rows = known.value.map((machine) => [
    cleanText(namesOf(machine).join(", ")),
    cleanText(machine.address),
    machine.syncedAt === null ? t("never") : ageText(host.now() - machine.syncedAt),
  ]);
  const own = [cleanText(ownLabel(paths.ownMachine)), t("this machine"), ""];
  const columns = [
    { title: t("Machine") },
    { title: t("Address"), fit: "middle" as const, minWidth: 24 },
    { title: t("Merged") },
  ];
  host.stdout.write(alignColumns(columns, [own, ...rows], styleFor(host)));
  return succeed(0);
}

/** How old something is, in its largest unit. */
function ageText(age: number): string {
  const minutes = Math.max(0, Math.round(age / 60_000));
  if (minutes < 60) return t("{0} min ago", minutes);
  if (minutes < 48 * 60) return t("{0} h ago", Math.round(minutes / 60));
  return t("{0} days ago", Math.round(minutes / 60 / 24));
}

function namesOf({ label: own, ids, address }: KnownMachine): readonly string[] {
  if (own !== null) return [own];
  return ids.length === 0 ? [address] : ids.map((each) => each.label);
}

function isNamed(machine: KnownMachine, name: string): boolean {
  return machine.address === name || namesOf(machine).includes(name);
}

function unknown(name: string): Result<never> {
  return fail(
    "failed",
    sentence("there is no machine {0}; purser machines list names them", cleanText(name)),
  );
}
