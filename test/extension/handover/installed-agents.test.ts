import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { installedAgents } from "../../../src/extension/handover/installed-agents.ts";
import { scratchFolder } from "../../engine/support/scratch.ts";

test(
  "the agents of the PATH are found, and those that a variable names",
  { skip: process.platform === "win32" },
  async (t) => {
    const folder = scratchFolder(t);
    for (const name of ["codex", "my-claude"]) {
      writeFileSync(path.join(folder, name), "#!/bin/sh\n");
      chmodSync(path.join(folder, name), 0o755);
    }
    const find = async (env: Readonly<Record<string, string>>) =>
      (await installedAgents(env, process.platform)).map(({ word, file }) => [word, path.basename(file)]);
    assert.deepEqual(await find({ PATH: folder }), [["codex", "codex"]]);
    assert.deepEqual(
      await find({ PATH: folder, PURSER_CLAUDE: path.join(folder, "my-claude"), PURSER_CODEX: "" }),
      [
        ["claude", "my-claude"],
        ["codex", "codex"],
      ],
    );
    assert.deepEqual(await find({}), []);
  },
);
