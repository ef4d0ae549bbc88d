import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { z } from "zod";
import { dueSlot } from "../../../../src/engine/recurring/wake/due.ts";
import { interruption } from "../../../../src/engine/recurring/wake/recurring-wake-record.ts";
import { runWake } from "../../../../src/engine/recurring/wake/run-recurring-wake.ts";
import { lastSlotOf } from "../../../../src/engine/recurring/wake/recurring-wake-state.ts";
import { recurringAgent } from "./support/agent.ts";
import { World } from "./support/world.ts";

after(() => rmSync(path.join(tmpdir(), `purser-played-${process.pid}`), { recursive: true, force: true }));

const stateShape = z.looseObject({
  lastSlot: z.number().nullable(),
  retriedSlot: z.number().nullable(),
  current: z.looseObject({ slot: z.number().nullable() }).nullable(),
  sessions: z.record(z.string(), z.looseObject({ id: z.string(), wakes: z.number() })),
});

interface Played {
  readonly steps?: number;
  /** A reason aborts it. */
  readonly during?: string;
}

/** An agent that is due once an hour, on a machine with processes that can be killed. */
function begin() {
  const world = new World(["keeper"]);
  const agent = recurringAgent("keeper", 'schedule: "0 * * * *"');
  const knownSince = world.now;
  world.now += 3_600_000;
  const stateNow = () =>
    stateShape.parse(
      JSON.parse(
        world.disk.text(world.placeOf("keeper").state) ??
          '{"lastSlot":null,"retriedSlot":null,"current":null,"sessions":{}}',
      ),
    );
  const due = () => dueSlot(agent, { lastSlot: lastSlotOf(stateNow(), false), knownSince, now: world.now });
  /** @param steps until its process is killed @param during what happens while the agent's program runs */
  const wake = async (slot: number | null, { steps = Infinity, during = "nothing" }: Played = {}) => {
    world.now += 60_000;
    const played = world.begin(steps);
    const stop = new AbortController();
    const { signal } = stop;
    const ports = world.portsFor(played, "fine", slot, () => {
      if (during === "kill") world.kill(played);
      else if (during !== "nothing") stop.abort(during);
      return Promise.resolve();
    });
    const source = slot === null ? ("manual" as const) : ("timer" as const);
    const asked = { taskId: null, source, slot, isForced: false, by: "service" as const };
    const request = { agent, project: "/project", place: world.placeOf("keeper"), ...asked };
    try {
      return await runWake(request, ports, { agree: () => Promise.resolve(true), signal });
    } catch (error) {
      if (!played.isDead) throw error;
      return null;
    } finally {
      played.isDead = true;
    }
  };
  return { world, due, wake, stateNow };
}

describe("an interrupted wake by schedule", () => {
  it("is tried again once with its new session, wherever its process was killed", async () => {
    let tried = 0;
    for (let steps = 1; steps < 80; steps += 1) {
      const { world, due, wake, stateNow } = begin();
      const slot = due();
      assert.ok(slot !== null);
      await wake(slot, { steps });
      const first = world.started.length;
      const again = due();
      if (again === null) {
        // It reached its end, or only its record is missing.
        assert.equal(first, 1, `killed at step ${steps}`);
        continue;
      }
      assert.equal(again, slot);
      const done = await wake(again);
      assert.ok(done?.ok, `killed at step ${steps}`);
      if (first === 1) {
        tried += 1;
        assert.equal(done.value.row.reason, "reused", `killed at step ${steps}`);
        assert.match(
          done.value.said.map(({ text }) => text).join(),
          /was interrupted.* its session u\d+ goes on/u,
        );
        assert.equal(stateNow().sessions["T0"]?.wakes, 2);
      } else assert.equal(done.value.row.reason, "first");
      assert.equal(due(), null, `killed at step ${steps}`);
      assert.deepEqual(
        [...world.ledger.values()].map(({ outcome }) => outcome),
        [...(first === 1 || world.ledger.size === 2 ? ["interrupted"] : []), "completed"],
      );
    }
    assert.ok(tried >= 3, `${tried} were tried again`);
  });

  it("is given up after the second time", async () => {
    const { world, due, wake } = begin();
    const slot = due();
    await wake(slot, { during: "kill" });
    assert.equal(world.started.length, 1);
    assert.equal(due(), slot);
    await wake(slot, { during: "kill" });
    assert.equal(world.started.length, 2);
    assert.equal(due(), null);
    // The next one of its schedule is due as ever.
    world.now += 3_600_000;
    assert.ok((due() ?? 0) > (slot ?? 0));
  });

  it("is tried again where what ran it ends, and not where a person cancelled it", async () => {
    for (const [reason, outcome] of [
      [interruption, "interrupted"],
      ["cancelled", "cancelled"],
    ] as const) {
      const { world, due, wake } = begin();
      const slot = due();
      await wake(slot, { during: reason });
      assert.deepEqual(
        [...world.ledger.values()].map((row) => row.outcome),
        [outcome],
      );
      assert.equal(due(), outcome === "interrupted" ? slot : null);
    }
  });

  it("is reported plainly without a session id from its program, and starts a new one", async () => {
    const { world, wake, stateNow } = begin();
    await wake(null, { during: "kill" });
    assert.equal(world.started.length, 1);
    world.sessions.clear();
    const done = await wake(null);
    assert.ok(done?.ok);
    assert.match(
      done.value.said.map(({ text }) => text).join(),
      /its session is gone, so the next wake begins a new one/u,
    );
    assert.equal(done.value.row.reason, "first");
    assert.equal(stateNow().sessions["T0"]?.wakes, 1);
  });
});
