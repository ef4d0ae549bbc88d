import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SessionNotices } from "../../../../src/extension/sessions/warnings/warnings-notices.ts";

/** Notifications that record their messages, and timers that a test runs. */
function screen() {
  const open = new Map<number, string[]>();
  const timers = new Set<() => void>();
  const putAway: (() => void)[] = [];
  let count = 0;
  const notices = new SessionNotices({
    open: (close) => {
      putAway.push(close);
      const id = (count += 1);
      const messages: string[] = [];
      open.set(id, messages);
      return { say: (message) => void messages.push(message), close: () => void open.delete(id) };
    },
    setTimer: (act) => {
      timers.add(act);
      return () => void timers.delete(act);
    },
  });
  return { notices, open, timers, putAway };
}

test("a graver reason replaces the earlier notification, and new figures update it", () => {
  const { notices, open } = screen();
  notices.show("a", "50 %");
  notices.update("a", "51 %");
  notices.update("a", "51 %");
  assert.deepEqual([...open.values()], [["50 %", "51 %"]]);
  notices.show("a", "60 %");
  assert.deepEqual([...open.values()], [["60 %"]]);
});

test("a notification closes when it no longer applies, after its time, and with the window", () => {
  const { notices, open, timers } = screen();
  for (const id of ["a", "b", "c"]) notices.show(id, id);
  notices.keep(new Set(["b", "c"]));
  assert.deepEqual(
    [...open.values()].map(([messages]) => messages),
    ["b", "c"],
  );
  const [first] = timers;
  first?.();
  assert.deepEqual(
    [...open.values()].map(([messages]) => messages),
    ["c"],
  );
  notices.dispose();
  assert.equal(open.size, 0);
  assert.equal(timers.size, 0, "no timer outlives its notification");
  notices.update("a", "late");
  assert.equal(open.size, 0, "a closed one shows nothing");
});

test("a notification closed by the user stays closed, and an old button closes no other", () => {
  const { notices, open, timers, putAway } = screen();
  notices.show("a", "50 %");
  notices.show("a", "60 %");
  const [earlier, later] = putAway;
  earlier?.();
  assert.deepEqual([...open.values()], [["60 %"]]);
  later?.();
  notices.update("a", "61 %");
  assert.equal(open.size + timers.size, 0);
});

const act = fc.record({
  act: fc.constantFrom("show", "update", "close", "keep", "time"),
  id: fc.constantFrom("a", "b", "c"),
});

test("no session ever has two notifications, and each open one has one timer", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const { notices, open, timers } = screen();
      for (const { act, id } of acts) {
        if (act === "show") notices.show(id, id);
        if (act === "update") notices.update(id, `${id} again`);
        if (act === "close") notices.close(id);
        if (act === "keep") notices.keep(new Set([id]));
        if (act === "time") for (const each of [...timers].slice(0, 1)) each();
        const titles = [...open.values()].map(([messages]) => messages);
        assert.deepEqual([...new Set(titles)], titles);
        assert.equal(timers.size, open.size);
      }
    }),
  );
});
