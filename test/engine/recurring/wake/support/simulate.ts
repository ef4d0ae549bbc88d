import assert from "node:assert/strict";
import { runWake } from "../../../../../src/engine/recurring/wake/run-recurring-wake.ts";
import { dueSlot } from "../../../../../src/engine/recurring/wake/due.ts";
import { lastSlotOf } from "../../../../../src/engine/recurring/wake/recurring-wake-state.ts";
import { z } from "zod";
import { seededRandom } from "../../../support/seeded-random.ts";
import { recurringAgent } from "./agent.ts";
import { World } from "./world.ts";

const stateShape = z.looseObject({
  lastSlot: z.number().nullable(),
  retriedSlot: z.number().nullable(),
  current: z.looseObject({ slot: z.number().nullable() }).nullable(),
  outbox: z.array(z.looseObject({ id: z.string() })),
});

export interface Simulated {
  readonly wakes: number;
  readonly kills: number;
  readonly recorded: number;
  readonly busy: number;
  /** Scheduled times that were tried again. */
  readonly retried: number;
  readonly reasons: ReadonlyMap<string, number>;
  readonly outcomes: ReadonlyMap<string, number>;
}

/**
 * Wakes played agents again and again, by schedule and by hand, two processes at once, and kills processes at any of their steps. Throws where a wake is lost or
 * doubled, where two of one agent run at once, or where one has no reason.
 */
export async function simulateWakes({
  seed,
  wakes,
}: {
  readonly seed: number;
  readonly wakes: number;
}): Promise<Simulated> {
  const seeded = seededRandom(seed);
  const random = () => seeded.next();
  const chance = (share: number) => random() < share;
  const names = ["keeper", "clerk", "pilot"];
  const world = new World(names);
  const knownSince = world.now;
  const agents = new Map(names.map((name) => [name, recurringAgent(name, 'schedule: "*/10 * * * *"')]));
  const counts = { kills: 0, busy: 0 };
  const stateOf = (name: string) =>
    stateShape.parse(
      JSON.parse(
        world.disk.text(world.placeOf(name).state) ??
          '{"lastSlot":null,"retriedSlot":null,"current":null,"outbox":[]}',
      ),
    );

  const wakeOnce = async (name: string, depth: number): Promise<void> => {
    const agent = agents.get(name);
    assert.ok(agent !== undefined);
    const lastSlot = lastSlotOf(stateOf(name), false);
    const slot = chance(0.7) ? dueSlot(agent, { lastSlot, knownSince, now: world.now }) : null;
    const isKilled = chance(0.3);
    const played = world.begin(isKilled ? 1 + Math.floor(random() * 60) : Infinity);
    const ending = chance(0.1) ? "gone" : chance(0.1) ? "quota" : chance(0.1) ? "broken" : "fine";
    world.isLedgerUp = chance(0.8);
    const ports = world.portsFor(played, ending, slot, async () => {
      // Another process comes along while the program runs.
      if (depth === 0 && chance(0.3)) await wakeOnce(chance(0.7) ? name : "pilot", depth + 1);
    });
    const request = {
      agent,
      project: "/project",
      place: world.placeOf(name),
      taskId: null,
      source: slot === null ? ("manual" as const) : ("timer" as const),
      slot,
      isForced: chance(0.05),
      by: "service" as const,
    };
    const agree = () => Promise.resolve(true);
    try {
      const done = await runWake(request, ports, { agree, signal: new AbortController().signal });
      if (!done.ok && done.reason === "busy") counts.busy += 1;
    } catch (error) {
      if (!played.isDead) throw error;
    }
    if (played.isDead) counts.kills += 1;
    // An ended process holds no lease.
    else played.isDead = true;
  };

  for (let index = 0; index < wakes; index += 1) {
    world.now += Math.floor(random() * (chance(0.5) ? 60_000 : 900_000));
    const name = names[Math.floor(random() * names.length)] ?? "keeper";
    await wakeOnce(name, 0);
  }
  // In the end, every killed wake is found and recorded.
  for (const name of names) {
    world.isLedgerUp = true;
    const [played, agent] = [world.begin(Infinity), agents.get(name)];
    assert.ok(agent !== undefined);
    const ports = world.portsFor(played, "fine", null, () => Promise.resolve());
    const request = {
      agent,
      project: "/project",
      place: world.placeOf(name),
      taskId: null,
      source: "manual" as const,
      slot: null,
      isForced: false,
      by: "terminal" as const,
    };
    const done = await runWake(request, ports, {
      agree: () => Promise.resolve(true),
      signal: new AbortController().signal,
    });
    assert.ok(done.ok, done.ok ? "" : done.detail.text);
    played.isDead = true;
    const { current, outbox } = stateOf(name);
    assert.deepEqual([current, outbox], [null, []]);
  }

  assert.deepEqual(world.overlaps, [], "two wakes of one agent at once");
  const startedWakes = new Set(world.started.map(({ wake }) => wake));
  assert.deepEqual(
    [...startedWakes].filter((wake) => !world.ledger.has(wake)),
    [],
    "wakes that were begun and are not in the ledger",
  );
  const slots = new Map<string, Set<string>>();
  for (const { wake, agent, slot } of world.started) {
    if (slot === null) continue;
    const key = `${agent}@${slot}`;
    slots.set(key, (slots.get(key) ?? new Set()).add(wake));
  }
  const interrupted = (wake: string) => world.ledger.get(wake)?.outcome === "interrupted";
  assert.deepEqual(
    [...slots]
      .filter(([, of]) => of.size > 2 || (of.size === 2 && ![...of].slice(0, 1).every(interrupted)))
      .map(([key]) => key),
    [],
    "slots that were woken for twice, and not because the first time was interrupted",
  );
  const begun = new Set<string>();
  for (const { wake, agent, hasSession } of world.started) {
    const isLost = world.ledger.get(wake)?.reason === "first" && begun.has(agent);
    assert.ok(!isLost, `${wake} begins a session although one of ${agent} goes on`);
    if (hasSession) begun.add(agent);
  }
  const retried = [...slots.values()].filter(({ size }) => size === 2).length;
  const [reasons, outcomes] = [new Map<string, number>(), new Map<string, number>()];
  for (const { reason, outcome, resumeFailed } of world.ledger.values()) {
    assert.ok(!resumeFailed || reason === "invalid_resume");
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return { wakes, ...counts, retried, recorded: world.ledger.size, reasons, outcomes };
}
