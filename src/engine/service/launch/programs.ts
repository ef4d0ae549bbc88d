import path from "node:path";
import { bundledSuite, sourceSuite } from "../../bench/suite.ts";

export interface LedgerPrograms {
  readonly ledger: string;
  readonly sqlWasm: string;
}

export interface ServicePrograms {
  readonly learnWorker: string;
  readonly ledgerPrograms: LedgerPrograms;
  readonly benchWorker: string;
  readonly hooksRepair: string;
  readonly guardReplayWorker: string;
  readonly learningWorker: string;
  readonly golden: string;
}

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
      sqlWasm: path.join(dist, "sql-wasm.wasm.br"),
    },
  };
}

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
