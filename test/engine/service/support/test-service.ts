import { programs } from "../../support/programs.ts";
import { readTestBuild } from "./test-build.ts";
import { existsSync, writeFileSync } from "node:fs";
import { successorArgument } from "../../../../src/engine/service/launch/launch.ts";
import { runService } from "../../../../src/engine/service/run-service.ts";

/** The service with a configurable version, and one that writes something before it ends. */
const {
  PURSER_TEST_VERSION: version = "1.0.0",
  PURSER_TEST_WRITES: writes,
  PURSER_TEST_LEDGER: hasLedger = "",
  PURSER_TEST_BUILD: built = "",
} = process.env;
const { learnWorker, ledgerPrograms, hooksRepair, guardReplayWorker, learningWorker, benchWorker } = programs;

// After the test its home is gone, and nothing would stop a service started now.
if (!existsSync(process.env["HOME"] ?? "")) process.exit();

void runService({
  env: process.env,
  userHome: process.env["HOME"] ?? "",
  version,
  build: readTestBuild(built),
  isSuccessor: process.argv.includes(successorArgument),
  learnWorker,
  // Its threads are slow to start, and most tests do not query them.
  ...(hasLedger === ""
    ? {}
    : { ledgerPrograms, hooksRepair, guardReplayWorker, learningWorker, benchWorker }),
  finishers: [
    {
      name: "the test's own",
      finish: async (reason) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (writes !== undefined) writeFileSync(writes, reason);
      },
    },
  ],
});
