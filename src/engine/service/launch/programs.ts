import path from "node:path";
import { bundledSuite, sourceSuite } from "../../bench/suite/folders.ts";

/** The program of the ledger's thread, and what it needs beside it. */
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
  /** Mends the user's hooks. */
  readonly hooksRepair: string;
  /** The folder of the golden suite. */
  readonly golden: string;
}

/** Beside the service's own bundle. @param dist its folder */
export function bundledPrograms(dist: string): ServicePrograms {
  return {
    learnWorker: path.join(dist, "learn-worker.cjs"),
    benchWorker: path.join(dist, "bench-worker.cjs"),
    hooksRepair: path.join(dist, "hooks-repair.cjs"),
    golden: bundledSuite(dist).folder,
    ledgerPrograms: {
      ledger: path.join(dist, "ledger-worker.cjs"),
      sqlWasm: path.join(dist, "sql-wasm.wasm"),
    },
  };
}

/** As they are written, in the repository. @param engine the folder `src/engine` */
export function sourcePrograms(engine: string): ServicePrograms {
  return {
    learnWorker: path.join(engine, "context/learn-worker.ts"),
    benchWorker: path.join(engine, "worker/bench-worker.ts"),
    hooksRepair: path.join(engine, "service/hooks-repair-program.ts"),
    golden: sourceSuite(engine).folder,
    ledgerPrograms: {
      ledger: path.join(engine, "ledger/thread/ledger-worker.ts"),
      sqlWasm: path.join(engine, "../../node_modules/sql.js/dist/sql-wasm.wasm"),
    },
  };
}
