import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import {
  HookRecorder,
  type HookEntry,
  type RecorderPorts,
} from "../../../src/engine/hooks/hooks-recorder.ts";
import { waitUntil } from "../support/wait-until.ts";

function entry(id: string): HookEntry {
  return { kind: "hook-event", id, sessionId: "s", event: "Stop", at: 1 };
}

function recorder(ports: Partial<RecorderPorts> = {}) {
  const reported: string[] = [];
  const spooled: string[] = [];
  const problems: string[] = [];
  const made = new HookRecorder({
    append: (entries) => {
      reported.push(...entries.flatMap((each) => ("id" in each ? [each.id] : [])));
      return Promise.resolve(succeed({ last: 1 }));
    },
    isOpen: () => true,
    spool: (entries) => void spooled.push(...entries.map(({ id }) => id)),
    onProblem: (message) => void problems.push(message),
    ...ports,
  });
  return { made, reported, spooled, problems };
}

describe("the recorder of hooks", () => {
  it("records each entry once, in order", async () => {
    const { made, reported, spooled } = recorder();
    const ids = Array.from({ length: 1200 }, (_, index) => String(index));
    for (const id of ids) made.record(entry(id));
    assert.deepEqual(reported, [], "no hook waits for it");
    await waitUntil(() => reported.length >= ids.length);
    made.record(entry("last"));
    await made.stop(1000);
    assert.deepEqual(reported, [...ids, "last"]);
    assert.deepEqual(spooled, []);
  });

  it("records again what the ledger rejected", async () => {
    let attempts = 0;
    const reported: number[] = [];
    const { made, problems } = recorder({
      append: (entries) => {
        attempts += 1;
        if (attempts === 1) return Promise.resolve(fail("no_ledger", plainSentence("it is not open")));
        if (attempts === 2) return Promise.reject(new Error("its thread has ended"));
        reported.push(entries.length);
        return Promise.resolve(succeed({ last: 1 }));
      },
    });
    made.record(entry("a"));
    await waitUntil(() => reported.length > 0);
    assert.equal(attempts, 3);
    assert.equal(problems.length, 2);
  });

  it("spools what the ledger has not taken when it ends, and what comes later", async () => {
    const { made, spooled } = recorder({ append: () => new Promise(() => undefined) });
    made.record(entry("a"));
    await made.stop(20);
    made.record(entry("b"));
    assert.deepEqual(spooled, ["a", "b"]);
  });

  it("spools at once what comes while the ledger is being opened, as the service may be killed", () => {
    const { made, spooled, reported } = recorder({ isOpen: () => false });
    for (const id of ["a", "b"]) made.record(entry(id));
    assert.deepEqual([spooled, reported], [["a", "b"], []]);
  });

  it("lets an entry wait for the ledger where the spool does not take it", async () => {
    const full = () => {
      throw new Error("ENOSPC");
    };
    const { made, reported, problems } = recorder({ isOpen: () => false, spool: full });
    made.record(entry("a"));
    await made.stop(1000);
    assert.deepEqual(reported, ["a"]);
    assert.match(problems.join(), /wait in memory.+ENOSPC/u);
  });

  it("skips invalid entries and keeps the others", async () => {
    const { made, reported, problems } = recorder();
    made.record({ ...entry("a"), durationMs: Number.NaN });
    made.record(entry("b"));
    await made.stop(1000);
    assert.deepEqual(reported, ["b"]);
    assert.equal(problems.length, 1);
  });
});
