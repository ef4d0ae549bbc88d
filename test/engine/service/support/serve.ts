import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runService } from "../../../../src/engine/service/run-service.ts";

/** The service as another version would be, and one that has something to write before it ends. */
const { PURSER_TEST_VERSION: version = "1.0.0", PURSER_TEST_WRITES: writes } = process.env;

void runService({
  env: process.env,
  userHome: process.env["HOME"] ?? "",
  version,
  learnWorker: fileURLToPath(new URL("../../../../src/engine/context/learn-worker.ts", import.meta.url)),
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
