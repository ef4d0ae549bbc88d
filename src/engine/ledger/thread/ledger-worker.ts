import { plainSentence } from "../../base/language.ts";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { systemClock, Debounce } from "../../base/timing.ts";
import { HeapTidier, storeCompiledCode, thisMachine } from "../../base/process.ts";
import { nodeRandomFiles } from "../pages/random-file.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { withOverrides, builtInCatalogue } from "../../usage/catalogue.ts";
import { localDays, localZone } from "../../usage/local-day.ts";
import { projectFolder, KnownProjects, ownLabel, ownMachine } from "../../base/paths.ts";
import type { LedgerBasis } from "../basis.ts";
import type { Freshness } from "../ledger-answers.ts";
import { startCollecting, type LocalCollecting } from "../collect/start-collecting.ts";
import { loadSqlEngine } from "../store/database.ts";
import type { Ledger } from "../ledger.ts";
import type {
  LedgerAnswer,
  LedgerCalls,
  LedgerReply,
  LedgerRequest,
  LedgerTask,
  OpenedLedger,
  RestoreTask,
} from "./protocol.ts";
import type { LedgerPorts } from "../journal.ts";
import { openLedger, type OpenReason } from "../store/open.ts";
import { restoredMark, restoreLedger } from "../store/restore.ts";
import type { ExportOptions, SharedExportOptions } from "../export-ledger.ts";

/** Runs the ledger and transcript collection in a separate thread, so that nothing else waits for them. */
let opened: Ledger | undefined;
let collecting: Promise<LocalCollecting> | undefined;
let catalogue = builtInCatalogue;
const days = { dayOf: localDays(), zone: localZone() };
let projects: KnownProjects | undefined;
/** `~/.purser`, and the file in it that names this machine. */
let home = "";
const machineFile = "machine.json";
const streams = new Map<number, AsyncIterator<Uint8Array>>();
let lastStream = 0;
const tidier = new HeapTidier();
/** A ledger's first burst fills it without an index; a long burst is not interrupted. Milliseconds. */
const indexing = new Debounce({ quiet: 2000, most: 3_600_000 }, () => opened?.index(() => tidier.tidy()));
/** Transcripts come in bursts: anomalies are searched for after a burst, not at every append. Milliseconds. */
const search = new Debounce({ quiet: 1000, most: 15_000 }, () => {
  if (unread <= fewUnread) void tend();
  else isSearchDue = true;
});
/** Files that a pass has yet to read. While there are many, a search would be repeated for the sessions in them. */
let unread = 0;
const fewUnread = 10;
/** Whether a search waits for the pass. */
let isSearchDue = false;

/** When the start is over, and its code not dropped yet. Milliseconds. */
const codeStoredAfter = 4000;
setTimeout(storeCompiledCode, codeStoredAfter).unref();

parentPort?.on("message", (request: LedgerRequest) => {
  const { id } = request;
  answer(request).then(
    (value) => reply({ kind: "answer", id, answer: value }),
    (error: unknown) => reply({ kind: "fault", id, message: `${nameOf(request)}: ${String(error)}` }),
  );
});

function nameOf(request: LedgerRequest): string {
  return "question" in request ? request.question : request.call;
}

async function answer(request: LedgerRequest): Promise<LedgerAnswer> {
  if ("question" in request) {
    const found = openLedgerHere().ask(request.question, request.asked, basis());
    // A worktree found by this question may be gone before the ledger is idle.
    if (opened?.readOnly === null) projects?.remember([]);
    return found;
  }
  if (request.call === "open") return open(request.asked);
  if (request.call === "restore") return restore(request.asked);
  const ledger = openLedgerHere();
  switch (request.call) {
    case "configure":
      configure(request.asked);
      return null;
    case "append":
      return ledger.append(request.asked);
    case "snapshot":
      return ledger.snapshot();
    case "compact":
      return ledger.compact();
    case "check":
      return ledger.check();
    case "backup":
      return ledger.backup(request.asked);
    case "export":
      streams.set((lastStream += 1), exported(request.asked, ledger)[Symbol.asyncIterator]());
      return lastStream;
    case "next":
      return nextOf(request.asked);
    case "stop":
      await streams.get(request.asked)?.return?.();
      streams.delete(request.asked);
      return null;
    case "collect":
      collecting = startCollecting(request.asked, {
        ledger,
        clock: systemClock,
        onFreshness: noteFreshness,
        onProblem: (message) => reply({ kind: "complaint", message }),
      });
      await collecting;
      return null;
    case "catchUp":
      if (collecting === undefined) throw new Error("nothing is collected");
      return (await collecting).catchUp();
    case "addRoots":
      if (collecting === undefined) throw new Error("nothing is collected");
      (await collecting).addRoots(request.asked);
      return null;
    case "stopCollecting":
      await (await collecting)?.stop();
      return null;
    case "close":
      search.dispose();
      indexing.dispose();
      tidier.dispose();
      await (await collecting)?.stop();
      await ledger.close();
      return null;
  }
}

function noteFreshness(freshness: Freshness): void {
  unread = freshness.files - freshness.done;
  if (isSearchDue && unread <= fewUnread) {
    isSearchDue = false;
    search.ask();
  }
  reply({ kind: "freshness", freshness });
}

/** @throws when no ledger is open */
function openLedgerHere(): Ledger {
  if (opened === undefined) throw new Error("the ledger is not open");
  return opened;
}

function basis(): LedgerBasis {
  return {
    catalogue,
    ...days,
    projectOf: (folder) => projects?.of(folder) ?? projectFolder(folder),
    ownLabel: ownLabel(path.join(home, machineFile)),
  };
}

function exported(options: ExportOptions | SharedExportOptions, ledger: Ledger): AsyncIterable<Uint8Array> {
  if (options.format !== "ndjson") return ledger.export(options);
  const machine = ownMachine(path.join(home, machineFile));
  return ledger.exportRows(options, {
    machine,
    restored: restoredMark(home),
    sharedNameOf: (folder) => projects?.sharedNameOf(folder, machine.id) ?? folder,
    now: systemClock.now(),
  });
}

async function open(task: LedgerTask): Promise<Result<OpenedLedger, OpenReason>> {
  configure(task);
  home = task.folder;
  projects = new KnownProjects(path.join(task.folder, "projects.json"), () => performance.now());
  const ledger = await openLedger({ ...task, ...(await portsOf(task)) });
  if (!ledger.ok) return ledger;
  opened = ledger.value;
  opened.onAppend((last) => {
    reply({ kind: "appended", last });
    search.ask();
    indexing.ask();
  });
  opened.onProblem((problem) => reply({ kind: "problem", problem }));
  if (opened.readOnly === null) search.ask();
  return succeed({ report: opened.report, readOnly: opened.readOnly });
}

async function restore(task: RestoreTask): Promise<LedgerCalls["restore"]["answer"]> {
  return restoreLedger(task, await portsOf(task));
}

async function portsOf({ wasmPath }: Pick<LedgerTask, "wasmPath">): Promise<LedgerPorts> {
  return {
    files: nodeRandomFiles,
    engine: await loadSqlEngine(wasmPath),
    unique: randomUUID,
    pid: process.pid,
    machine: thisMachine(),
  };
}

/** Background work of the ledger, done once it is idle. */
async function tend(): Promise<void> {
  try {
    const now = systemClock.now();
    const summed = await opened?.ageOut(now);
    if (summed?.ok === false && summed.reason !== "closed") reply({ kind: "problem", problem: summed });
    // Read now which project a worktree belongs to: later it may be gone.
    if (opened?.readOnly === null) projects?.remember(opened.ask("sessionFolders", null));
    const found = await opened?.recordAnomalies(now);
    if (found?.ok === true) for (const anomaly of found.value) reply({ kind: "anomaly", anomaly });
    else if (found?.ok === false && found.reason !== "closed") reply({ kind: "problem", problem: found });
  } catch (error) {
    // Everything else works without it, and a replacement of the thread would fail with the same error.
    reply({ kind: "problem", problem: fail("search_failed", plainSentence(String(error))) });
  }
}

function configure({ models }: { readonly models: unknown }): void {
  catalogue = withOverrides(builtInCatalogue, models).catalogue;
}

async function nextOf(stream: number): Promise<Uint8Array | null> {
  const next = await streams.get(stream)?.next();
  if (next === undefined || next.done === true) {
    streams.delete(stream);
    return null;
  }
  return next.value;
}

function reply(message: LedgerReply<LedgerAnswer>): void {
  parentPort?.postMessage(message);
}
