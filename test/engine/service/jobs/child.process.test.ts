import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { ChildProcessRunner } from "../../../../src/engine/service/jobs/child.ts";
import { childEnv } from "../../support/child-env.ts";
import { ask } from "../../jobs/support/samples.ts";

const root = mkdtempSync(path.join(tmpdir(), "purser-bench-child-"));
after(() => rmSync(root, { recursive: true, force: true }));

const signal = new AbortController().signal;
const nobody = { workspace: null, env: {} };

/** A child job runner with its own home, in which no agent is logged in. */
function childRunner(program: string) {
  const problems: string[] = [];
  const child = new ChildProcessRunner({
    program,
    execPath: process.execPath,
    isElectron: false,
    ledger: undefined,
    rules: undefined,
    env: { ...childEnv, HOME: root, PURSER_HOME: path.join(root, ".purser"), TMPDIR: root },
    log: { write: (_, message) => void problems.push(message) },
  });
  return { child, problems };
}

function written(name: string, text: string): string {
  const file = path.join(root, name);
  writeFileSync(file, text);
  return file;
}

const worker = path.join(import.meta.dirname, "../../../../src/engine/jobs/process/bench-worker.ts");

test("the offer and a plan come from a separate process", async () => {
  const { child, problems } = childRunner(worker);
  const choices = await child.choices(nobody, signal);
  assert.ok(choices.ok);
  assert.deepEqual(
    choices.value.suites.map(({ problem, tasks }) => [problem, tasks.length >= 16]),
    [[null, true]],
  );
  // No agent is ready here, and no recordings are selected yet.
  assert.deepEqual(
    [choices.value.driver, choices.value.drivers.map(({ isReady }) => isReady)],
    ["claude", [false, false, true]],
  );
  const planned = await child.plan({ ask, env: {}, memories: {} }, signal);
  assert.ok(planned.ok);
  assert.deepEqual([planned.value.tokens, planned.value.usd, planned.value.recordedBy], [0, 0, ["script"]]);
  const none = await child.plan({ ask: { ...ask, agents: ["nobody"] }, env: {}, memories: {} }, signal);
  assert.ok(!none.ok || none.value.runs === 0);
  await child.close();
  assert.equal((await child.choices(nobody, signal)).ok, false, "a service that ends begins nothing");
  assert.deepEqual(problems, []);
});

test("a broken suite of a workspace is reported, and the other one still offered", async () => {
  const { child } = childRunner(worker);
  const choices = await child.choices({ workspace: path.join(root, "none"), env: {} }, signal);
  assert.equal(choices.ok ? choices.value.suites.length : 0, 1);
  await child.close();
});

test("a process that ends or cannot start is reported; the next request starts another", async () => {
  const dying = childRunner(written("dying.mjs", "process.exit(9);"));
  for (let times = 0; times < 2; times += 1) {
    const choices = await dying.child.choices(nobody, signal);
    assert.ok(!choices.ok);
    assert.equal(choices.reason, "gone");
    assert.match(choices.detail.text, /exit code 9/u);
  }
  await dying.child.close();
  const missing = new ChildProcessRunner({
    program: worker,
    execPath: path.join(root, "no-node"),
    isElectron: false,
    ledger: undefined,
    rules: undefined,
    env: {},
    log: { write: () => undefined },
  });
  const choices = await missing.choices(nobody, signal);
  assert.ok(!choices.ok);
  assert.match(choices.detail.text, /ENOENT/u);
  await missing.close();
});

test("one that does not speak as it should is ended", async () => {
  const rambling = written(
    "rambling.mjs",
    'import { Socket } from "node:net"; new Socket({ fd: 3 }).write("hello?".repeat(4000)); setInterval(() => {}, 1000);',
  );
  const { child, problems } = childRunner(rambling);
  const choices = await child.choices(nobody, signal);
  assert.ok(!choices.ok);
  assert.equal(choices.reason, "gone");
  assert.equal(problems.length, 1);
  await child.close();
});
