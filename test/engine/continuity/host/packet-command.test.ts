import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { packetCommand } from "../../../../src/engine/continuity/host/create-continuity.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("purser is called by its name if it is in the PATH, otherwise by its path", (t) => {
  const folder = scratchFolder(t);
  const program = path.join(folder, "dist files", "hooks-repair.cjs");
  const command = packetCommand({ env: { PATH: folder }, platform: "linux", program });
  assert.equal(command("abc"), `node "${path.join(folder, "dist files", "cli.cjs")}" handover abc --print`);
  writeFileSync(path.join(folder, "purser"), "");
  chmodSync(path.join(folder, "purser"), 0o700);
  assert.equal(command("abc"), "purser handover abc --print");
  const unknown = packetCommand({ env: {}, platform: "linux", program: undefined });
  assert.equal(unknown("abc"), "purser handover abc --print");
});
