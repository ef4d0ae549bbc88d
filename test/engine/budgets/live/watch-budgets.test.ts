import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { BudgetWatch } from "../../../../src/engine/budgets/live/watch-budgets.ts";
import { MemoryDisk } from "../support/memory-files.ts";
import { portsOn, valueOf } from "../support/ports.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** A project with a file listing that can be blocked for a while. */
function scene() {
  const disk = new MemoryDisk().port();
  let gate = Promise.resolve();
  let looks = 0;
  const files = {
    ...disk,
    list: async (folder: string) => {
      looks += 1;
      const names = await disk.list(folder);
      // The first listing checks names and times, the second one reads.
      if (looks === 2) await gate;
      return names;
    },
  };
  let now = 0;
  const ports = portsOn(disk);
  const watch = new BudgetWatch(portsOn(files), () => now);
  const convoys = async () => {
    const { limited } = await watch.read();
    return limited?.ok === true ? limited.value.budgets.map(({ convoyId }) => convoyId) : [];
  };
  return {
    ports,
    watch,
    convoys,
    looks: () => looks,
    pass: (milliseconds: number) => (now += milliseconds),
    hold: () => {
      const opens: (() => void)[] = [];
      gate = new Promise((resolve) => void opens.push(resolve));
      return () => opens.forEach((open) => open());
    },
  };
}

describe("a project's budgets, watched", () => {
  it("are read at most once in an interval, however often requested", async () => {
    const { ports, convoys, looks, pass } = scene();
    assert.deepEqual(await convoys(), []);
    const first = looks();
    valueOf(await createBudget({ convoyId: "fleet" }, ports));
    for (let time = 0; time < 5; time += 1) assert.deepEqual(await convoys(), []);
    assert.equal(looks(), first);
    pass(50);
    assert.deepEqual(await convoys(), ["fleet"]);
  });

  it("are read again after a known change", async () => {
    const { ports, watch, convoys } = scene();
    assert.deepEqual(await convoys(), []);
    valueOf(await createBudget({ convoyId: "fleet" }, ports));
    watch.forget();
    assert.deepEqual(await convoys(), ["fleet"]);
  });

  it("are never returned from a read that started before they changed", async () => {
    const { ports, watch, convoys, hold, looks } = scene();
    const go = hold();
    const early = convoys();
    await waitUntil(() => looks() === 2);
    valueOf(await createBudget({ convoyId: "fleet" }, ports));
    watch.forget();
    const late = convoys();
    go();
    assert.deepEqual([await early, await late], [[], ["fleet"]]);
    assert.deepEqual(await convoys(), ["fleet"], "the early look is not what is remembered");
  });
});
