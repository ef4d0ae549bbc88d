import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { killMarked } from "../../../../src/engine/bench/processes.ts";
import { FakeProcessTable, type Life } from "../support/pretended-machine.ts";

const mark = "run-1";
const plain: Life = { after: 0, loads: 0, lives: null, dies: 0, isKept: false, children: [] };

/** A process that may end, and start children, while the others are inspected. */
function livesOf(generations: number): fc.Arbitrary<Life> {
  return fc.record({
    after: fc.nat(12),
    loads: fc.nat(6),
    lives: fc.option(fc.integer({ min: 1, max: 15 })),
    dies: fc.nat(8),
    isKept: fc.boolean(),
    children: generations > 1 ? fc.array(livesOf(generations - 1), { maxLength: 3 }) : fc.constant([]),
  });
}
const lives = livesOf(4);
const machines = fc.record({
  marked: fc.array(lives, { maxLength: 4 }),
  others: fc.array(lives, { maxLength: 4 }),
  moment: fc.nat(10),
});

function startedRun({ marked, others, moment }: { marked: Life[]; others: Life[]; moment: number }) {
  const machine = new FakeProcessTable(mark);
  for (const life of others) machine.begin(life, false);
  for (const life of marked) machine.begin(life, true);
  machine.pass(moment);
  return machine;
}

describe("processes of a run", () => {
  it("has ended once reported as ended, whatever it does in between; nothing else was killed", async () => {
    await fc.assert(
      fc.asyncProperty(machines, async (drawn) => {
        const machine = startedRun(drawn);
        assert.deepEqual(await killMarked(mark, machine), []);
        assert.equal(machine.alive, 0);
        machine.pass(100);
        assert.equal(machine.alive, 0);
        assert.deepEqual(
          [...machine.killed].filter((id) => !machine.isMarked(id)),
          [],
        );
      }),
    );
  });

  it("would partly survive a single look at each process, so the machine above is not trivial", async () => {
    const runs = fc.sample(machines, 300).map(async (drawn) => {
      const machine = startedRun(drawn);
      for (const id of await machine.ids()) {
        const seen = await machine.inspect(id);
        if (seen.kind === "running" && seen.environment.some((entry) => entry.endsWith(mark)))
          machine.kill(id);
      }
      const atOnce = machine.alive;
      machine.pass(100);
      return { atOnce, later: machine.alive };
    });
    const left = await Promise.all(runs);
    assert.ok(left.filter(({ atOnce }) => atOnce > 0).length > 30);
    assert.ok(left.filter(({ later }) => later > 0).length > 10);
  });

  it("is waited for while it ends", async () => {
    const machine = startedRun({ marked: [{ ...plain, dies: 40 }], others: [], moment: 1 });
    assert.deepEqual(await killMarked(mark, machine), []);
    assert.equal(machine.alive, 0);
  });

  it("is checked again if its program was being loaded", async () => {
    const machine = startedRun({ marked: [{ ...plain, loads: 30 }], others: [], moment: 1 });
    assert.deepEqual(await killMarked(mark, machine), []);
    assert.equal(machine.alive, 0);
  });

  it("is named if it does not end, and nobody waits for ever", async () => {
    const machine = startedRun({ marked: [{ ...plain, dies: Infinity }], others: [], moment: 1 });
    assert.deepEqual(await killMarked(mark, machine), [...machine.killed]);
    assert.equal(machine.killed.size, 1);
  });

  it("is named if it may not be killed", async () => {
    const machine = startedRun({ marked: [plain], others: [], moment: 1 });
    machine.kill = () => false;
    assert.equal((await killMarked(mark, machine)).length, 1);
  });

  it("is not taken for what seems to load for ever", async () => {
    const machine = startedRun({ marked: [], others: [{ ...plain, loads: Infinity }], moment: 1 });
    assert.deepEqual(await killMarked(mark, machine), []);
    assert.equal(machine.killed.size, 0);
  });
});
