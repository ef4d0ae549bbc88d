import { readTestBuild } from "./test-build.ts";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sourcePrograms } from "../../../../src/engine/service/launch/programs.ts";
import { successorMark } from "../../../../src/engine/service/launch/launch.ts";
import { runService } from "../../../../src/engine/service/run.ts";

/** The service as another version would be, and one that has something to write before it ends. */
const {
  PURSER_TEST_VERSION: version = "1.0.0",
  PURSER_TEST_WRITES: writes,
  PURSER_TEST_LEDGER: hasLedger = "",
  PURSER_TEST_BUILD: built = "",
} = process.env;
const { learnWorker, ledgerPrograms, hooksRepair } = sourcePrograms(
  fileURLToPath(new URL("../../../../src/engine", import.meta.url)),
);

// A test that is over has removed its home, and nobody is left who would end what begins only now.
if (!existsSync(process.env["HOME"] ?? "")) process.exit();

void runService({
  env: process.env,
  userHome: process.env["HOME"] ?? "",
  version,
  build: readTestBuild(built),
  isSuccessor: process.argv.includes(successorMark),
  learnWorker,
  // Its threads take their time to start, and most tests do not ask it.
  ...(hasLedger === "" ? {} : { ledgerPrograms, hooksRepair }),
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
