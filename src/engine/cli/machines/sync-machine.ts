import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { errorCode, fail, succeed, type Failure, type Result } from "../../base/result.ts";
import { compose, sentence, t } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { ownMachine, purserPaths } from "../../base/paths.ts";
import { cleanText } from "../../base/text.ts";
import { LineSplitter, readSharedLine, sharedFormat, type SharedHeader } from "../../ledger/machines.ts";
import type { RequestParams } from "../../jobs/all-requests.ts";
import type { ServiceClient } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";
import type { KnownMachine } from "./machines-file.ts";
import { transportOf, type Transport } from "./transport.ts";

interface Synced {
  readonly ids: KnownMachine["ids"];
  readonly rows: number;
  /** Lines that this version of purser does not understand. */
  readonly unreadable: number;
  readonly asOf: number | null;
  /** How far the machine's clock is ahead. Milliseconds. */
  readonly ahead: number;
}

interface Place {
  readonly machine: KnownMachine;
  readonly client: ServiceClient;
  readonly host: CliHost;
}

/** Merges what is new on a machine. After an interruption, the next sync continues where this one was cut. */
export async function syncMachine(place: Place): Promise<Result<Synced>> {
  const { machine, client, host } = place;
  const known = await client.ask("machines", {}, host.signal);
  if (!known.ok) return known;
  const [only] = machine.ids;
  const cursor = known.value.machines.find(({ id }) => id === only?.id)?.cursor ?? null;
  const transport = transportOf(machine, cursor);
  if (transport === null) return await syncFolder(place);
  const program = run(transport, host);
  const merged = await mergeLines(program.bytes(), cursor, place);
  const failure = await program.failure(merged.ok ? merged.value.isEnded : false, machine);
  if (!merged.ok) return merged;
  return failure ?? succeed(merged.value);
}

/** Each file in a shared folder is an export of one machine. */
async function syncFolder(place: Place): Promise<Result<Synced>> {
  const { machine } = place;
  let sum: Synced = { ids: [], rows: 0, unreadable: 0, asOf: null, ahead: 0 };
  try {
    const names = (await readdir(machine.address)).filter((name) => name.endsWith(".ndjson")).toSorted();
    if (names.length === 0)
      return fail(
        "failed",
        sentence(
          "{0} has no *.ndjson file; on the other machine, run purser ledger export --format ndjson --output FILE into it",
          machine.address,
        ),
      );
    for (const name of names) {
      const merged = await mergeLines(createReadStream(path.join(machine.address, name)), null, place);
      if (!merged.ok) return fail("failed", compose`${name}: ${merged.detail}`);
      const { value } = merged;
      const others = sum.ids.filter(({ id }) => !value.ids.some((each) => each.id === id));
      sum = {
        ids: [...others, ...value.ids],
        rows: sum.rows + value.rows,
        unreadable: sum.unreadable + value.unreadable,
        asOf: Math.max(sum.asOf ?? -Infinity, value.asOf ?? -Infinity),
        ahead: value.ahead,
      };
    }
    return succeed({ ...sum, asOf: sum.asOf === -Infinity ? null : sum.asOf });
  } catch (error) {
    return fail("failed", compose`${machine.address}: ${errorCode(error)}`);
  }
}

type Merge = RequestParams<"mergeMachine">;

/** @param asked the cursor that the export was asked to continue from */
async function mergeLines(
  bytes: AsyncIterable<Uint8Array>,
  asked: string | null,
  { machine, client, host }: Place,
): Promise<Result<Synced & { readonly isEnded: boolean }>> {
  const splitter = new LineSplitter();
  const own = ownMachine(purserPaths(host).ownMachine);
  let header: SharedHeader | undefined;
  let [rows, unreadable, isEnded] = [0, 0, false];
  let batch: Pick<Merge, "rows" | "retractions"> = { rows: [], retractions: [] };
  // Rows of a ledger that is another now would stay beside those of the new one.
  let isAnew = false;
  const flush = async (cursor: string | null, isEnd: boolean): Promise<Failure | null> => {
    if (header === undefined) return null;
    const { id, label } = header;
    const done = await client.ask(
      "mergeMachine",
      { id, label: machine.label ?? label, isAnew, ...batch, cursor, isEnd },
      host.signal,
    );
    isAnew = false;
    batch = { rows: [], retractions: [] };
    return done.ok ? null : done;
  };
  for await (const piece of bytes) {
    for (const text of splitter.add(piece)) {
      const line = text === null ? undefined : readSharedLine(text);
      if (line === undefined || line.kind === "unreadable") unreadable += 1;
      else if (line.kind === "header") {
        if (line.format > sharedFormat)
          return fail("failed", sentence("purser is newer on {0}; update it here", machine.address));
        if (line.id === own.id)
          return fail(
            "failed",
            sentence(
              "{0} is this machine, or a copy of it; a copy gets its own id when its {1} is removed",
              machine.address,
              "~/.purser/machine.json",
            ),
          );
        header = line;
        isAnew = asked !== null && line.since !== asked;
      } else if (header === undefined) unreadable += 1;
      else if (line.kind === "row") batch.rows.push({ version: line.version, row: line.row });
      else if (line.kind === "retraction")
        batch.retractions.push({ version: line.version, session: line.session });
      else {
        rows += batch.rows.length;
        isEnded = line.kind === "end";
        const failure = await flush(line.cursor, isEnded);
        if (failure !== null) return failure;
        progress(host, machine, rows);
      }
    }
  }
  if (host.stderr.isTTY === true && rows > 0) host.stderr.write("\r\u001b[K");
  const found = header === undefined ? [] : [{ id: header.id, label: machine.label ?? header.label }];
  if (header === undefined && unreadable > 0)
    return fail(
      "failed",
      sentence(
        "{0} answered with something else than a ledger: is purser older there? Update it",
        machine.address,
      ),
    );
  return succeed({
    ids: found,
    rows,
    unreadable,
    isEnded,
    asOf: header?.asOf ?? null,
    ahead: header === undefined ? 0 : header.now - host.now(),
  });
}

function progress({ stderr }: CliHost, { address }: KnownMachine, rows: number): void {
  if (stderr.isTTY === true)
    stderr.write(`\r\u001b[K${t("{0}: {1} rows", cleanText(address), wholeNumber(rows))}`);
}

/** Characters of what a program complains about. */
const maxComplaint = 300;

function run({ program, args }: Transport, host: CliHost) {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    signal: host.signal,
    windowsHide: true,
  });
  let complaint = "";
  child.stderr.on("data", (bytes: Buffer) => {
    complaint = (complaint + bytes.toString("utf8")).slice(-4000);
  });
  const ended = new Promise<{ readonly code: number | null; readonly error: string | null }>((resolve) => {
    child.once("error", (error) => resolve({ code: null, error: errorCode(error) }));
    child.once("close", (code) => resolve({ code, error: null }));
  });
  return {
    bytes: (): AsyncIterable<Uint8Array> => child.stdout,
    failure: async (isEnded: boolean, { address, command }: KnownMachine): Promise<Failure | null> => {
      if (!isEnded) child.kill();
      const { code, error } = await ended;
      host.signal.throwIfAborted();
      if (isEnded && code === 0) return null;
      const words = cleanText(complaint).slice(-maxComplaint);
      if (error !== null)
        return fail("failed", sentence("{0} cannot be started: {1}; install it first", program, error));
      if (code === 255 && program === "ssh")
        return fail(
          "failed",
          sentence(
            "{0} cannot be reached without a question: {1}; try ssh to it in this terminal",
            address,
            words,
          ),
        );
      if (code === 127 || code === 126)
        return fail(
          "failed",
          sentence(
            "purser is not found on {0} as {1}: {2}; install it there, or name it with --command",
            address,
            command.join(" "),
            words,
          ),
        );
      return fail(
        "failed",
        sentence("{0} stopped before the end: {1}; the next sync continues", address, words),
      );
    },
  };
}
