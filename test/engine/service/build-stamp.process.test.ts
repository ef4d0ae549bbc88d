import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readBuildStamp, type Age } from "../../../src/engine/service/build-stamp.ts";
import { isOlder } from "../../../src/engine/service/take-over.ts";
import { scratchFolder } from "../support/scratch.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox, machine } from "./support/box.ts";

describe("which purser is older", () => {
  const age: fc.Arbitrary<Age> = fc.record({
    version: fc.constantFrom("1.0.0", "1.0.1", "unknown"),
    build: fc.option(fc.record({ hash: fc.constantFrom("a", "b"), builtAt: fc.constantFrom(1, 2) })),
  });

  it("is older for at most one of two, so that they never take turns", () => {
    fc.assert(
      fc.property(age, age, age, (one, other, third) => {
        assert.ok(!isOlder(one, one));
        assert.ok(!(isOlder(one, other) && isOlder(other, one)));
        // No cycle of three either.
        assert.ok(!(isOlder(one, other) && isOlder(other, third) && isOlder(third, one)));
      }),
    );
  });

  it("compares versions first, then build times", () => {
    const at = (version: string, hash: string | null, builtAt = 0): Age => ({
      version,
      build: hash === null ? null : { hash, builtAt },
    });
    assert.ok(isOlder(at("1.0.0", "b", 9), at("1.0.1", "a", 1)));
    assert.ok(isOlder(at("1.0.0", "a", 1), at("1.0.0", "b", 2)));
    assert.ok(!isOlder(at("1.0.0", "a", 1), at("1.0.0", "a", 2)), "the same was built again");
    assert.ok(isOlder(at("1.0.0", null), at("1.0.0", "b", 2)), "one that does not say was built before");
    assert.ok(!isOlder(at("1.0.0", "a", 1), at("1.0.0", null)));
  });
});

it("An invalid stamp, or one of a missing build, is ignored", (t) => {
  const folder = scratchFolder(t);
  assert.equal(readBuildStamp(folder), null);
  for (const text of ["", "{", "null", "[]", '{"hash":1,"builtAt":2}', '{"hash":"a"}']) {
    writeFileSync(path.join(folder, "build.json"), text);
    assert.equal(readBuildStamp(folder), null, text);
  }
  writeFileSync(path.join(folder, "build.json"), '{"hash":"a","builtAt":2}\n');
  assert.deepEqual(readBuildStamp(folder), { hash: "a", builtAt: 2 });
});

describe("a service of the same version", { concurrency: 2 }, () => {
  const built = (hash: string, builtAt: number) => ({ PURSER_TEST_BUILD: `${hash} ${builtAt}` });

  it("hands over to a later build, and not back", async (t) => {
    const box = new ServiceSandbox(t);
    const first = await box.client("1.0.0", built("a", 1));
    const same = await box.client("1.0.0", built("a", 5));
    assert.equal(same.pid, first.pid);
    const later = await box.client("1.0.0", built("b", 2));
    assert.notEqual(later.pid, first.pid);
    assert.equal(first.farewell, "handover");
    assert.deepEqual(later.build, { hash: "b", builtAt: 2 });
    assert.equal((await box.client("1.0.0", built("a", 1))).pid, later.pid);
    assert.equal(box.record().build, "b");
  });

  it("is replaced by a successor if it is older", async (t) => {
    const box = new ServiceSandbox(t);
    const first = await box.client("1.0.0", built("a", 1));
    const begin = async (env: Record<string, string>) => {
      const launched = await box.successor("1.0.0", env)();
      assert.ok(launched.ok);
      return launched.value;
    };
    const older = await begin(built("z", 0));
    assert.deepEqual(await older.ended, { ok: true, value: undefined }, "it is not needed");
    assert.ok(machine.isAlive(first.pid));
    await begin(built("b", 2));
    await waitUntil(() => box.pids().length === 2 && first.isClosed);
    assert.equal(first.farewell, "handover");
    await waitUntil(() => box.record().build === "b");
    const [, second] = box.pids();
    assert.equal((await box.client("1.0.0", built("b", 2))).pid, second);
  });

  it("is started by a successor if none runs", async (t) => {
    const box = new ServiceSandbox(t);
    mkdirSync(box.home.folder, { mode: 0o700 });
    const launched = await box.successor("1.0.0", built("b", 2))();
    assert.ok(launched.ok);
    await waitUntil(() => box.pids().length === 1);
    assert.equal((await box.client("1.0.0", built("b", 2))).pid, box.pids()[0]);
  });
});
