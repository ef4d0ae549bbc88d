import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { driveClaude } from "./drive.ts";
import { makeScratch } from "./scratch.ts";

test(
  "an agent that does not end is killed",
  { skip: process.platform === "win32" && "needs a shell", timeout: 120_000 },
  async () => {
    const scratch = await makeScratch();
    try {
      const binary = join(scratch.root, "stuck");
      await writeFile(binary, "#!/bin/sh\nexec sleep 3600\n", { mode: 0o755 });
      const result = await driveClaude({
        binary,
        scratch,
        api: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
        prompt: "Hello.",
        model: "any",
        timeoutMs: 200,
      });
      assert.equal(result.timedOut, true);
      assert.equal(result.printed, null);
    } finally {
      await scratch.remove();
    }
  },
);
