import assert from "node:assert/strict";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { it } from "node:test";
import {
  hookUrl,
  readHookServerAddress,
  writeHookServerAddress,
} from "../../../../src/engine/hooks/server/address.ts";
import { callerOfPath } from "../../../../src/engine/hooks/program.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";
import { scratchFolder } from "../../support/scratch.ts";

it(
  "stores the hook server's address, readable by the user alone",
  { skip: process.platform === "win32" },
  (t) => {
    const home = purserPaths({ env: {}, home: scratchFolder(t) });
    mkdirSync(home.folder, { mode: 0o700 });
    assert.deepEqual(readHookServerAddress(home), { ok: true, value: null });
    const address = { port: 20_123, token: "a token nobody guesses" };
    writeHookServerAddress(home, address);
    assert.equal(statSync(home.hooks).mode & 0o777, 0o600);
    assert.deepEqual(readHookServerAddress(home), { ok: true, value: address });
    chmodSync(home.hooks, 0o644);
    assert.equal(readHookServerAddress(home).ok, false);
  },
);

it("takes nothing else for such a place", (t) => {
  const home = purserPaths({ env: {}, home: scratchFolder(t) });
  mkdirSync(home.folder, { mode: 0o700 });
  for (const text of [
    "",
    "{",
    "[]",
    '{"port":0,"token":"a token nobody guesses"}',
    '{"port":1,"token":""}',
  ]) {
    writeFileSync(home.hooks, text, { mode: 0o600 });
    assert.deepEqual(readHookServerAddress(home), { ok: true, value: null }, text);
  }
});

it("has an address for each agent", () => {
  const address = { port: 20_123, token: "" };
  assert.equal(hookUrl(address), "http://127.0.0.1:20123/hook/claude-code");
  assert.equal(callerOfPath(new URL(hookUrl(address, "codex")).pathname), "codex");
  assert.equal(callerOfPath("/hook/"), undefined);
});
