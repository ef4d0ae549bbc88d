import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { dueSlot, maxAheadMs, nextSlot } from "../../../../src/engine/recurring/wake/due.ts";
import type { AgentOverview } from "../../../../src/engine/recurring/wake/agent-overview.ts";
import { WakeSchedule, type ScheduledWake } from "../../../../src/engine/recurring/host/wake-schedule.ts";
import { recurringAgent } from "../wake/support/agent.ts";

const minute = 60_000;
const start = Date.parse("2026-11-27T08:00:30Z");

/** Outcomes of a wake for a scheduled time: woken; refused as another wakes it; or its schedule rests, as quota failed. */
type Outcome = "woken" | "busy" | "quota" | "broke";

/** Agents by name, woken at times of their schedules, with a clock and timers that the test turns. */
interface Setup {
  readonly isOn?: boolean;
  readonly schedules?: Readonly<Record<string, string>>;
}

interface Played {
  now: number;
  isOn: boolean;
  isAgreed: boolean;
  outcome: Outcome;
  reads: number;
  readonly wakes: (ScheduledWake & { readonly at: number })[];
  readonly problems: string[];
  /** Called while an agent is woken. */
  during: () => void;
}

function play({ isOn = true, schedules = { keeper: "*/10 * * * *" } }: Setup = {}) {
  const world: Played = {
    now: start,
    isOn,
    isAgreed: true,
    outcome: "woken",
    reads: 0,
    wakes: [],
    problems: [],
    during: () => undefined,
  };
  const lastSlots = new Map<string, number>();
  const pausedUntil = new Map<string, number>();
  const timers = new Set<{ readonly at: number; readonly act: () => void }>();
  const overviewOf = (name: string): AgentOverview => {
    const agent = recurringAgent(name, `schedule: "${schedules[name]}"`, "timezone: UTC");
    const lastSlot = lastSlots.get(name) ?? null;
    const paused = pausedUntil.get(name) ?? 0;
    return {
      name,
      file: `/argo/.purser/agents/${name}.md`,
      project: "/argo",
      faults: [],
      agent,
      isAgreed: world.isAgreed,
      isBusy: false,
      running: null,
      nextWake: nextSlot(agent, world.now),
      dueSince: world.isAgreed ? dueSlot(agent, { lastSlot, knownSince: start, now: world.now }) : null,
      timedBy: null,
      learned: null,
      pausedUntil: paused > world.now ? paused : null,
      sessions: [],
      wakes: [],
    };
  };
  const schedule = new WakeSchedule({
    isOn: () => world.isOn,
    projects: () => ["/argo"],
    read: (_, name) => {
      world.reads += 1;
      return Promise.resolve(
        Object.keys(schedules)
          .filter((each) => name === null || each === name)
          .map(overviewOf),
      );
    },
    wake: (order) => {
      world.wakes.push({ ...order, at: world.now });
      world.during();
      if (world.outcome === "broke") return Promise.reject(new Error("broke"));
      if (world.outcome === "woken") lastSlots.set(order.agent, order.slot);
      if (world.outcome === "quota") pausedUntil.set(order.agent, world.now + 30 * minute);
      return Promise.resolve();
    },
    now: () => world.now,
    after: (milliseconds, act) => {
      const timer = { at: world.now + milliseconds, act };
      timers.add(timer);
      return { dispose: () => void timers.delete(timer) };
    },
    onProblem: (message) => world.problems.push(message.text),
  });
  const settled = async () => {
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  };
  /** Moves the time on; timers fire in order. */
  const pass = async (milliseconds: number) => {
    await settled();
    const until = world.now + milliseconds;
    for (let fired = 0; fired < 5000; fired += 1) {
      const [next] = [...timers].toSorted((one, other) => one.at - other.at);
      if (next === undefined || next.at > until) break;
      world.now = Math.max(world.now, next.at);
      timers.delete(next);
      next.act();
      await settled();
    }
    world.now = until;
  };
  return { world, schedule, timers, pass, settled, lastSlots };
}

const times = (wakes: readonly { readonly slot: number }[]) =>
  wakes.map(({ slot }) => new Date(slot).toISOString().slice(11, 16));

describe("wakes by schedule of the service", () => {
  it("come once at each time, with one timer and nothing read in between", async () => {
    const { world, schedule, timers, pass, settled } = play();
    schedule.changed();
    await settled();
    assert.deepEqual([timers.size, schedule.isUsed, world.wakes.length], [1, true, 0]);
    const { reads } = world;
    await pass(9 * minute);
    assert.equal(world.reads, reads);
    await pass(31 * minute);
    assert.deepEqual(times(world.wakes), ["08:10", "08:20", "08:30", "08:40"]);
    assert.ok(world.wakes.every(({ at, slot }) => at === slot));
    assert.equal(timers.size, 1);
  });

  it("do not happen if the setting is off, without consent, or when the service ends", async () => {
    const off = play({ isOn: false });
    off.schedule.changed();
    await off.settled();
    assert.deepEqual([off.timers.size, off.world.reads, off.schedule.isUsed], [0, 0, false]);
    off.world.isOn = true;
    off.schedule.changed();
    await off.pass(10 * minute);
    assert.equal(off.world.wakes.length, 1);
    off.world.isOn = false;
    off.schedule.changed();
    await off.settled();
    assert.deepEqual([off.timers.size, off.schedule.isUsed], [0, false]);
    const unagreed = play();
    unagreed.world.isAgreed = false;
    unagreed.schedule.changed();
    await unagreed.pass(60 * minute);
    assert.deepEqual([unagreed.world.wakes.length, unagreed.schedule.isUsed], [0, false]);
    const ending = play({ schedules: { keeper: "*/10 * * * *", pilot: "*/10 * * * *" } });
    ending.schedule.changed();
    await ending.settled();
    ending.world.during = () => void ending.schedule.stop();
    await ending.pass(60 * minute);
    assert.deepEqual([ending.world.wakes.length, ending.timers.size], [1, 0]);
  });

  it("come once for all times that a machine slept over, at the next look at the clock", async () => {
    const { world, schedule, settled } = play();
    schedule.changed();
    await settled();
    world.now += 300 * minute;
    schedule.noteTime();
    await settled();
    assert.deepEqual(times(world.wakes), ["13:00"]);
    schedule.noteTime();
    await settled();
    assert.equal(world.wakes.length, 1);
  });

  it("happen one after the other, and each agent has its own schedule", async () => {
    const { world, schedule, pass } = play({ schedules: { keeper: "*/10 * * * *", pilot: "*/30 * * * *" } });
    schedule.changed();
    await pass(60 * minute);
    const of = (name: string) => times(world.wakes.filter(({ agent }) => agent === name));
    assert.deepEqual(of("keeper"), ["08:10", "08:20", "08:30", "08:40", "08:50", "09:00"]);
    assert.deepEqual(of("pilot"), ["08:30", "09:00"]);
  });

  it("are tried again after growing pauses if they fail to start, and wait while quota is missing", async () => {
    const { world, schedule, pass } = play({ schedules: { keeper: "0 * * * *" } });
    schedule.changed();
    world.outcome = "busy";
    await pass(90 * minute);
    const waits = world.wakes.map(({ at }) => Math.round((at - Date.parse("2026-11-27T09:00:00Z")) / minute));
    assert.deepEqual(waits, [0, 1, 3, 7, 15]);
    world.outcome = "woken";
    await pass(3 * minute);
    assert.equal(world.wakes.at(-1)?.slot, Date.parse("2026-11-27T09:00:00Z"));
    const quota = play({ schedules: { keeper: "0 * * * *" } });
    quota.schedule.changed();
    quota.world.outcome = "quota";
    await quota.pass(59 * minute + 29 * minute);
    assert.equal(quota.world.wakes.length, 1);
  });

  it("continue after a failure", async () => {
    const { world, schedule, pass } = play();
    schedule.changed();
    world.outcome = "broke";
    await pass(10 * minute);
    assert.match(world.problems.join(), /cannot be read: Error: broke/u);
    world.outcome = "woken";
    await pass(40 * minute);
    assert.deepEqual(times(world.wakes).at(-1), "08:50");
  });

  it("continue once a clock that was a day ahead is set back", async () => {
    const { world, schedule, pass, settled } = play();
    world.now += 1440 * minute;
    schedule.changed();
    await settled();
    world.now -= 1440 * minute;
    schedule.noteTime();
    schedule.changed();
    const before = world.wakes.length;
    await pass(30 * minute);
    assert.deepEqual(times(world.wakes.slice(before)), ["08:00", "08:10", "08:20", "08:30"]);
  });

  it("never use a time twice after a clock correction, and miss none when it moves forward", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("pass" as const), minutes: fc.integer({ min: 0, max: 90 }) }),
      fc.record({ kind: fc.constant("jump" as const), minutes: fc.integer({ min: -200, max: 200 }) }),
      fc.constant({ kind: "look" as const, minutes: 0 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { world, schedule, pass, settled, timers } = play();
        schedule.changed();
        await settled();
        let furthest = world.now;
        for (const { kind, minutes } of steps) {
          if (kind === "pass") await pass(minutes * minute);
          else {
            if (kind === "jump") world.now = Math.max(world.now + minutes * minute, furthest - maxAheadMs);
            schedule.noteTime();
            schedule.changed();
            await settled();
          }
          furthest = Math.max(furthest, world.now);
        }
        const slots = world.wakes.map(({ slot }) => slot);
        assert.equal(new Set(slots).size, slots.length);
        assert.deepEqual(
          slots,
          slots.toSorted((one, other) => one - other),
        );
        // The newest time that has come was woken for.
        const newest = dueSlot(recurringAgent("keeper", 'schedule: "*/10 * * * *"', "timezone: UTC"), {
          lastSlot: slots.at(-1) ?? null,
          knownSince: start,
          now: world.now,
        });
        schedule.changed();
        await settled();
        assert.equal(world.wakes.length - slots.length, newest === null ? 0 : 1);
        assert.equal(timers.size, 1);
      }),
    );
  });
});
