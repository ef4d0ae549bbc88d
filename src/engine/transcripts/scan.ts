import type { FileProblem } from "../base/result.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Compaction } from "../usage/api-response.ts";

import { uniteTables, type ResponseTable, type ScannedResponse } from "./scan/response-table.ts";
import { planScan, type ScanFile, type ScanPlan } from "./scan/units.ts";
import {
  newControl,
  newScanner,
  scanNext,
  stopAll,
  type ScanTask,
  type ScanThreads,
} from "./scan/threads.ts";
import type { ScanPart, SkippedRows, UnitReport, UnitScanner } from "./scan/unit-scanner.ts";

export interface ScanInput {
  readonly files: readonly ScanFile[];
  /** Ended afterwards. Without them the calling thread reads alone. */
  readonly threads?: ScanThreads;
  readonly signal?: AbortSignal;
}

interface ScannedCompaction extends Compaction {
  readonly path: string;
  readonly sessionId: string;
  readonly isSidechain: boolean;
  /** The model of the last response before it in the same chain of its file, or null when there is none. */
  readonly model: string | null;
  /** Whether anything before it in its file proves a 1M window. */
  readonly longContext: boolean;
}

export interface ScanResult {
  /** Each response once, in no particular order. May be iterated repeatedly. */
  readonly responses: Iterable<ScannedResponse>;
  readonly compactions: readonly ScannedCompaction[];
  readonly skipped: SkippedRows;
  readonly problems: readonly FileProblem[];
  readonly bytes: number;
  readonly files: number;
}

const noModel: string | null = null;

/**
 * Reads all of the given transcripts. Memory depends on the number of responses and on the longest wanted line (at most
 * 64 MiB per thread), not on the size of the files. Unreadable files are reported in `problems`.
 *
 * The calling thread reads too, and handles other events only between parts of 8 MiB: call it from a dedicated thread
 * where that matters.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function scanTranscripts({ files, threads, signal }: ScanInput): Promise<ScanResult> {
  const task: ScanTask = { plan: planScan(files), control: newControl() };
  const stop = () => stopAll(task.control);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    signal?.throwIfAborted();
    threads?.startFor(files.reduce((sum, { size }) => sum + size, 0));
    const others = threads?.read(task) ?? [];
    const [scanner, ...parts] = await Promise.all([ownShare(task), ...others]);
    signal?.throwIfAborted();
    return unite(task.plan, scanner, parts);
  } finally {
    // After a failure the calling thread need not continue, either.
    stop();
    threads?.end();
    signal?.removeEventListener("abort", stop);
  }
}

async function ownShare(task: ScanTask): Promise<UnitScanner> {
  const scanner = newScanner(task);
  while (scanNext(task, scanner)) await nextTurn();
  return scanner;
}

function unite(plan: ScanPlan, own: UnitScanner, parts: readonly ScanPart[]): ScanResult {
  const tables = uniteTables(
    own.table,
    parts.map(({ table }) => table),
  );
  const reports = [own, ...parts]
    .flatMap((part) => part.reports)
    .sort((one, other) => one.number - other.number);
  const skipped = [own, ...parts].map((part) => part.skipped).reduce(addSkipped);
  const problems = new Map<string, FileProblem>();
  for (const { problem } of reports) if (problem !== null) problems.set(problem.path, problem);
  const paths = new Set(plan.units.map((unit) => unit.path));
  return {
    responses: { [Symbol.iterator]: () => responsesOf(tables) },
    compactions: joinUnits(plan, reports),
    skipped,
    problems: [...problems.values()],
    bytes: reports.reduce((sum, { bytes }) => sum + bytes, 0),
    files: paths.size - problems.size,
  };
}

function* responsesOf(tables: readonly ResponseTable[]): Generator<ScannedResponse> {
  for (const table of tables) yield* table.responses();
}

function addSkipped(one: SkippedRows, other: SkippedRows): SkippedRows {
  return {
    synthetic: one.synthetic + other.synthetic,
    unidentified: one.unidentified + other.unidentified,
    byRow: one.byRow + other.byRow,
    malformed: one.malformed + other.malformed,
    oversized: one.oversized + other.oversized,
  };
}

/** Completes compactions with what came before them in their file, possibly in an earlier unit. */
function joinUnits(plan: ScanPlan, reports: readonly UnitReport[]): ScannedCompaction[] {
  const compactions: ScannedCompaction[] = [];
  let before = { path: "", main: noModel, sidechain: noModel, isLongContext: false };
  for (const report of reports) {
    const file = plan.units[report.number]?.path ?? "";
    if (file !== before.path)
      before = { path: file, main: noModel, sidechain: noModel, isLongContext: false };
    for (const { model, isLongContext, ...compaction } of report.compactions) {
      compactions.push({
        ...compaction,
        path: file,
        model: model ?? (compaction.isSidechain ? before.sidechain : before.main),
        longContext: isLongContext || before.isLongContext,
      });
    }
    before.main = report.lastMainModel ?? before.main;
    before.sidechain = report.lastSidechainModel ?? before.sidechain;
    before.isLongContext ||= report.isLongContext;
  }
  return compactions;
}
