import path from "node:path";
import { bundledSuite, sourceSuite } from "../../bench/suite.ts";

/** Program of the ledger's thread, with the file it needs. */
export interface LedgerPrograms {
  readonly ledger: string;
  readonly sqlWasm: string;
}

export interface ServicePrograms {
  /** Learns from past compactions. */
  readonly learnWorker: string;
  readonly ledgerPrograms: LedgerPrograms;
  /** Runs benches. */
  readonly benchWorker: string;
  /** Repairs the user's hooks. */
  readonly hooksRepair: string;
  /** Plays the user's history to guards. */
  readonly guardReplayWorker: string;
  /** Learns from past sessions. */
  readonly learningWorker: string;
  /** Folder of the golden suite. */
  readonly golden: string;
}

/**
 * Programs next to the service's own bundle.
 * @param dist the bundle's folder
 */
export function bundledPrograms(dist: string): ServicePrograms {
  return {
    learnWorker: path.join(dist, "learn-worker.cjs"),
    benchWorker: path.join(dist, "bench-worker.cjs"),
    hooksRepair: path.join(dist, "hooks-repair.cjs"),
    guardReplayWorker: path.join(dist, "replay-worker.cjs"),
    learningWorker: path.join(dist, "learning-worker.cjs"),
    golden: bundledSuite(dist).folder,
    ledgerPrograms: {
      ledger: path.join(dist, "ledger-worker.cjs"),
      sqlWasm: path.join(dist, "sql-wasm.wasm"),
    },
  };
}

/**
 * Programs as source files, in the repository.
 * @param engine the folder `src/engine`
 */
export function sourcePrograms(engine: string): ServicePrograms {
  return {
    learnWorker: path.join(engine, "sessions/learn-worker.ts"),
    benchWorker: path.join(engine, "jobs/process/bench-worker.ts"),
    hooksRepair: path.join(engine, "service/hooks-repair-program.ts"),
    guardReplayWorker: path.join(engine, "guard/host/replay-worker.ts"),
    learningWorker: path.join(engine, "continuity/host/learning-worker.ts"),
    golden: sourceSuite(engine).folder,
    ledgerPrograms: {
      ledger: path.join(engine, "ledger/thread/ledger-worker.ts"),
      sqlWasm: path.join(engine, "../../node_modules/sql.js/dist/sql-wasm.wasm"),
    },
  };
}
