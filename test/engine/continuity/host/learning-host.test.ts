import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { isOnBattery } from "../../../../src/engine/continuity/host/create-learning.ts";
import { LearningHost, type LearningPorts } from "../../../../src/engine/continuity/host/learning-host.ts";
import { defaults } from "../../../../src/engine/settings/shape.ts";
import { scratchFolder } from "../../support/scratch.ts";

function host(over: Partial<LearningPorts> = {}) {
  let now = 1_000_000;
  const started: { readonly only: string | null; readonly signal: AbortSignal; readonly end: () => void }[] =
    [];
  const learning = new LearningHost({
    env: {},
    temporary: "/tmp",
    userHome: "/home/ann",
    clock: { now: () => now },
    program: "",
    ledger: {
      ask: () => Promise.resolve(fail("no_ledger", plainSentence("none"))),
      append: () => Promise.resolve(succeed(null)),
    },
    settings: { now: () => defaults },
    isOnBattery: () => null,
    onProblem: (message) => assert.fail(message),
    learn: ({ only }, { signal }) =>
      new Promise((resolve) => {
        const end = () => resolve(succeed({ files: 1, conclusions: 2 }));
        signal.addEventListener("abort", () => resolve(fail("cancelled", plainSentence("stopped"))), {
          once: true,
        });
        started.push({ only, signal, end });
      }),
    ...over,
  });
  return { learning, begun: started, pass: (milliseconds: number) => (now += milliseconds) };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("Learning starts after a minute without a hook, and ends at the next one", async () => {
  const { learning, begun, pass } = host();
  learning.look();
  assert.equal(begun.length, 0);
  assert.equal(learning.status().waitsFor, "agents");
  pass(60_000);
  learning.look();
  learning.look();
  assert.equal(begun.length, 1);
  learning.noteHook();
  assert.ok(begun[0]?.signal.aborted);
  await turn();
  learning.look();
  assert.equal(begun.length, 1);
  pass(60_000);
  learning.look();
  assert.equal(begun.length, 2, "it goes on");
  begun[1]?.end();
  await turn();
  pass(60_000);
  learning.look();
  assert.equal(begun.length, 2);
  assert.deepEqual([learning.status().waitsFor, learning.status().endedAt], ["time", 1_120_000]);
  pass(15 * 60_000);
  learning.look();
  assert.equal(begun.length, 3);
  await learning.stop();
});

test("It does not start on battery or when turned off; a clock set back causes no wait", () => {
  const onBattery = host({ isOnBattery: () => true });
  const off = host({ settings: { now: () => ({ ...defaults, learn: false }) } });
  for (const { learning, begun, pass } of [onBattery, off]) {
    pass(600_000);
    learning.look();
    assert.equal(begun.length, 0);
  }
  assert.deepEqual(
    [onBattery.learning.status().waitsFor, off.learning.status().waitsFor],
    ["battery", "setting"],
  );
  const jumped = host();
  jumped.pass(-3_600_000);
  jumped.learning.look();
  assert.equal(jumped.begun.length, 1);
});

test("A requested run ends an automatic one, is not ended by hooks, and runs one at a time", async () => {
  const { learning, begun, pass } = host();
  pass(60_000);
  learning.look();
  const asked = learning.run("ClusterErrors", new AbortController().signal);
  const next = learning.run(null, new AbortController().signal);
  await turn();
  assert.ok(begun[0]?.signal.aborted);
  assert.equal(begun.length, 2);
  learning.noteHook();
  assert.equal(begun[1]?.signal.aborted, false);
  begun[1].end();
  assert.deepEqual(await asked, succeed({ files: 1, conclusions: 2 }));
  await turn();
  assert.deepEqual(
    begun.map(({ only }) => only),
    [null, "ClusterErrors", null],
  );
  await learning.stop();
  assert.equal((await next).ok, false);
  assert.equal((await learning.run(null, new AbortController().signal)).ok, false);
});

test("The battery state comes from Linux, ignores a mouse's battery, and is null if unknown", (t) => {
  const place = scratchFolder(t);
  const supply = (name: string, files: Readonly<Record<string, string>>) => {
    const folder = path.join(place, name);
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), `${text}\n`);
  };
  assert.equal(isOnBattery(path.join(place, "none")), null);
  supply("mouse", { type: "Battery", status: "Discharging", scope: "Device" });
  assert.equal(isOnBattery(place), null);
  supply("BAT0", { type: "Battery", status: "Discharging" });
  assert.equal(isOnBattery(place), true);
  supply("AC", { type: "Mains", online: "0" });
  assert.equal(isOnBattery(place), true);
  supply("AC", { type: "Mains", online: "1" });
  assert.equal(isOnBattery(place), false);
});
