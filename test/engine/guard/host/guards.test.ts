import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { fail } from "../../../../src/engine/base/result.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";
import { createCallGuards } from "../../../../src/engine/guard/host/guards.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("a project's rules apply in trusted folders, and the user can turn off rules in code", async (t) => {
  const userHome = realpathSync(scratchFolder(t));
  const home = purserPaths({ env: {}, home: userHome });
  const shop = path.join(userHome, "shop");
  mkdirSync(path.join(shop, ".git"), { recursive: true });
  mkdirSync(path.join(shop, ".purser"));
  writeFileSync(
    path.join(shop, ".purser", "guard.yaml"),
    "rules: [{ id: no-ship, match: [{ program: make }], message: M. }]\n",
  );
  mkdirSync(home.folder, { mode: 0o700 });
  writeFileSync(home.guardRules, "set: { delete-home: off }\n");
  const guards = createCallGuards({
    home,
    clock: { now: () => 0 },
    userHome,
    platform: process.platform,
    temporary: "/tmp",
    ledger: {
      append: () => Promise.resolve({ ok: true, value: undefined }),
      ask: () => Promise.resolve(fail("no_ledger", plainSentence("no ledger"))),
    },
    onProblem: (problem) => assert.equal(problem, ""),
  });
  guards.setWindow({
    editor: "code",
    workspace: null,
    isTrusted: true,
    user: {},
    folders: [{ path: shop, settings: {} }],
  });
  const inner = path.join(shop, "src");
  mkdirSync(inner);
  // Until the user's file is read, nothing is said.
  assert.equal(guards.isExcepted("git-clean-folder", "make", inner), true);
  const hits = await guards.calls.judge(readExample("make"), guards.calls.contextOf(inner));
  assert.deepEqual(
    hits.map(({ rule }) => rule.id),
    ["no-ship"],
  );
  assert.equal(guards.isExcepted("git-clean-folder", "make", inner), false);
  assert.equal(guards.isExcepted("delete-home", "make", inner), true);
  assert.deepEqual(await guards.calls.judge(readExample("make"), guards.calls.contextOf(userHome)), []);
});
