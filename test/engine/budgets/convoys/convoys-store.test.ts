import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  levelNames,
  periodNames,
  presentLevels,
  type Budget,
  type NewBudget,
} from "../../../../src/engine/budgets/budget.ts";
import {
  acceptBudget,
  createBudget,
  deleteBudget,
  loadBudget,
  saveBudget,
} from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { listBudgets } from "../../../../src/engine/budgets/convoys/list.ts";
import { checkBudget } from "../../../../src/engine/budgets/check/check.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { MemoryDisk, systemError } from "../support/memory-files.ts";
import { callOf, noon, portsOn, project, valueOf } from "../support/ports.ts";

const now = new Date(noon).toISOString();
const file = path.join(project, ".purser", "budgets", "fleet.json");
const level = fc.record(
  {
    limit: fc.integer({ min: 1, max: 1e12 }),
    period: fc.constantFrom(...periodNames),
  },
  { noNullPrototype: true },
);
const budgets = fc.record({
  convoyId: fc.constant("fleet"),
  levels: fc
    .record(Object.fromEntries(levelNames.map((name) => [name, level])), {
      requiredKeys: [],
      noNullPrototype: true,
    })
    .filter((levels) => Object.keys(levels).length > 0),
  warnPercent: fc.integer({ min: 1, max: 100 }),
});

async function made(wanted: NewBudget = { convoyId: "fleet" }) {
  const disk = new MemoryDisk();
  const ports = portsOn(disk.port());
  const { budget, revision } = valueOf(await createBudget(wanted, ports));
  return { disk, ports, budget, revision, bytes: disk.files.get(file) ?? Buffer.alloc(0) };
}

describe("budgets in files", () => {
  it("has the default limits of group and agent, keys sorted", async () => {
    const { bytes, disk } = await made();
    const text = bytes.toString();
    assert.match(text, /^\{\n {2}"checksum": "[0-9a-f]{16}",\n/u);
    assert.ok(text.endsWith(`"schema": 3,\n  "updatedAt": "${now}",\n  "warnPercent": 80\n}\n`), text);
    const { levels } = valueOf(await loadBudget("fleet", portsOn(disk.port()))).budget;
    assert.deepEqual(levels, {
      agent: { amount: 100_000, unit: "tokens", period: "total" },
      convoy: { amount: 500_000, unit: "tokens", period: "total" },
    });
    assert.deepEqual([...disk.files.keys()].toSorted(), [
      file,
      path.join(project, ".purser", "spending", ".gitignore"),
      path.join(project, ".purser", "spending", "budgets.1.lock"),
    ]);
  });

  it("written, read and written again is the same, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(budgets, async (wanted) => {
        const { disk, ports, bytes } = await made(wanted);
        const { budget, revision } = valueOf(await loadBudget("fleet", ports));
        const times = { createdAt: now, updatedAt: now };
        assert.deepEqual(budget, {
          schema: 3,
          ...wanted,
          levels: presentLevels(wanted.levels),
          ...times,
        });
        valueOf(await saveBudget(budget, revision, ports));
        assert.deepEqual(disk.files.get(file), bytes);
      }),
      { numRuns: 50 },
    );
  });

  it("is the same budget with other line ends, as git may write them", async () => {
    const { disk, ports, budget, bytes } = await made();
    disk.files.set(file, Buffer.from(bytes.toString().replaceAll("\n", "\r\n")));
    assert.deepEqual(valueOf(await loadBudget("fleet", ports)).budget, budget);
  });

  it("rejects an invalid budget", async () => {
    const ports = portsOn(new MemoryDisk().port());
    for (const [wanted, message] of [
      [{ convoyId: "fleet", levels: {} }, /has a limit for one at least/u],
      [{ convoyId: "fleet", levels: { agent: { limit: 0, period: "day" } } }, /limit of agent/u],
      [{ convoyId: "fleet", levels: { agent: { limit: 1.5, period: "day" } } }, /limit of agent/u],
      [{ convoyId: "fleet", warnPercent: 0 }, /1 to 100/u],
      [{ convoyId: "nul" }, /device/u],
    ] as const) {
      const refused = await createBudget(wanted, ports);
      assert.ok(!refused.ok);
      assert.match(refused.detail.text, message);
    }
  });

  it("reports what already exists, and what does not", async () => {
    const { ports } = await made();
    const reasons = await Promise.all([
      createBudget({ convoyId: "fleet" }, ports),
      loadBudget("other", ports),
      deleteBudget("other", ports),
      loadBudget("../fleet", ports),
    ]);
    assert.deepEqual(
      reasons.map((result) => (result.ok ? "" : result.reason)),
      ["exists", "not_found", "not_found", "invalid_id"],
    );
  });

  it("lists all, also those that cannot be read, and deletes them", async () => {
    const { disk, ports } = await made();
    disk.files.set(path.join(path.dirname(file), "bad.json"), Buffer.from("{"));
    const { budgets: listed, strays } = valueOf(await listBudgets(ports));
    assert.deepEqual(
      listed.map(({ file: each, stored }) => [path.basename(each), stored.ok ? "" : stored.reason]),
      [
        ["bad.json", "corrupt"],
        ["fleet.json", ""],
      ],
    );
    assert.deepEqual(strays, []);
    valueOf(await deleteBudget("bad", ports));
    assert.equal((await loadBudget("bad", ports)).ok, false);
  });

  it("does not take a file for another group's", async () => {
    const { disk, ports, bytes } = await made();
    disk.files.set(file.replace("fleet", "other"), bytes);
    const loaded = await loadBudget("other", ports);
    assert.deepEqual([loaded.ok, loaded.ok ? "" : loaded.reason], [false, "corrupt"]);
  });

  it("keeps changes that another process made in between", async () => {
    const { disk, ports, budget, revision } = await made();
    const other = portsOn(disk.port());
    valueOf(await saveBudget({ ...budget, warnPercent: 50 }, revision, other));
    const late = await saveBudget({ ...budget, warnPercent: 60 }, revision, ports);
    assert.deepEqual([late.ok, late.ok ? "" : late.reason], [false, "changed"]);
    assert.equal(valueOf(await loadBudget("fleet", ports)).budget.warnPercent, 50);
  });

  it("accepts an edit by hand when requested, but no damage", async () => {
    const { disk, ports, bytes } = await made();
    disk.files.set(file, Buffer.from(bytes.toString().replace("500000", "600000")));
    const loaded = await loadBudget("fleet", ports);
    assert.match(loaded.ok ? "" : loaded.detail.text, /purser budget set fleet --accept/u);
    valueOf(await acceptBudget("fleet", ports));
    assert.equal(valueOf(await loadBudget("fleet", ports)).budget.levels.convoy?.amount, 600_000);
    disk.files.set(file, Buffer.from(bytes.toString().replace("500000", "-600000")));
    const refused = await acceptBudget("fleet", ports);
    assert.deepEqual([refused.ok, refused.ok ? "" : refused.reason], [false, "corrupt"]);
  });

  it("answers a refusing disk with a reason and what to do", async () => {
    for (const [code, message] of [
      ["EACCES", /change its permissions/u],
      ["ENOSPC", /make room/u],
      ["EIO", /EIO/u],
    ] as const) {
      const { disk } = await made();
      const refusing = portsOn(
        disk.port(() => {
          throw systemError(code);
        }),
      );
      for (const act of [
        loadBudget("fleet", refusing),
        createBudget({ convoyId: "x" }, refusing),
        listBudgets(refusing),
        deleteBudget("fleet", refusing),
        checkBudget(callOf(), refusing),
        recordUsage({ call: callOf(), usage: 1, as: { kind: "total" } }, refusing),
      ]) {
        const result = await act;
        assert.ok(!result.ok);
        assert.equal(result.reason, "unusable");
        assert.match(result.detail.text, message);
      }
    }
  });
});

describe("a damaged file is an error or the same, never nothing", () => {
  const spending = path.join(project, ".purser", "spending", "spending.1.json");
  const isSameOrCorrupt = async (disk: MemoryDisk, budget: Budget) => {
    const ports = portsOn(disk.port());
    const loaded = await loadBudget("fleet", ports);
    if (loaded.ok) assert.deepEqual(loaded.value.budget, budget);
    else assert.equal(loaded.reason, "corrupt");
    const checked = await checkBudget(callOf(), ports);
    if (checked.ok) assert.deepEqual([checked.value.allowed, checked.value.levels[0]?.used], [false, 99_999]);
    else assert.equal(checked.reason, "corrupt");
  };
  const spent = async () => {
    const setup = await made();
    const recording = { call: callOf(), usage: 99_999, as: { kind: "total" } } as const;
    valueOf(await recordUsage(recording, setup.ports));
    return setup;
  };

  for (const [name, damaged] of [
    ["budget", file],
    ["spending", spending],
  ] as const) {
    it(`${name}: cut at any byte`, async () => {
      const { disk, budget } = await spent();
      const whole = disk.files.get(damaged);
      assert.ok(whole);
      for (let size = 0; size < whole.length; size += 1) {
        disk.files.set(damaged, whole.subarray(0, size));
        await isSameOrCorrupt(disk, budget);
      }
    });

    it(`${name}: any byte flipped in any way`, async () => {
      const { disk, budget } = await spent();
      const whole = disk.files.get(damaged);
      assert.ok(whole);
      for (let index = 0; index < whole.length; index += 1)
        for (const mask of [1, 2, 4, 8, 16, 32, 64, 128, 255]) {
          const flipped = Buffer.from(whole);
          flipped[index] = (flipped[index] ?? 0) ^ mask;
          disk.files.set(damaged, flipped);
          await isSameOrCorrupt(disk, budget);
        }
    });
  }

  it("anything at all in its place", async () => {
    const { disk, budget } = await spent();
    const anything = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (bytes) => {
        disk.files.set(file, bytes);
        await isSameOrCorrupt(disk, budget);
      }),
    );
  });
});
