import path from "node:path";
import { runService } from "../../../../src/engine/service/run-service.ts";

/** A service that its learning thread kills. One bundle holds both, because a dozen of them are started. */
const folder = import.meta.dirname;
const { HOME: userHome = "", PURSER_TEST_WASM: sqlWasm = "" } = process.env;

void runService({
  env: process.env,
  userHome,
  version: "1.0.0",
  build: null,
  isSuccessor: false,
  learnWorker: path.join(folder, "learn-worker.mjs"),
  ledgerPrograms: { ledger: path.join(folder, "ledger-worker.mjs"), sqlWasm },
  learningWorker: path.join(folder, "killing-worker.mjs"),
  finishers: [],
});
