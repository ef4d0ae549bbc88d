import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SessionMemory } from "../../../src/engine/base/per-session.ts";
import type { GuardHitEntry } from "../../../src/engine/guard/hit-entry.ts";
import {
  SentAdvice,
  FindingDelivery,
  type Finding,
  type DeliveryPorts,
} from "../../../src/engine/guard/delivery.ts";
import { guardModes, type GuardMode } from "../../../src/engine/settings/guard.ts";

/** What a delivery keeps of sessions, with no rule silent. */
function speech() {
  const memory = new SessionMemory();
  return { memory, sent: new SentAdvice(memory), isSilent: () => false };
}

function deliveryWith(
  mode: GuardMode,
  isExcepted: DeliveryPorts["isExcepted"] = () => false,
  silent: ReadonlySet<string> = new Set(),
) {
  const recorded: GuardHitEntry[] = [];
  const delivery = new FindingDelivery({
    modeOf: () => mode,
    isExcepted,
    record: (entries) => recorded.push(...entries),
    ...speech(),
    isSilent: (rule) => silent.has(rule),
    now: () => 1000,
  });
  return { delivery, recorded };
}

const event = { hook_event_name: "PostToolUse", session_id: "s", cwd: "/work" } as const;
const claude = { program: "claude-code" } as const;

function finding(about: string): Finding {
  return { rule: "same-failure", family: "loops", text: `It fails (${about}).`, excerpt: "make", about };
}

test("a session gets each finding once, and only if its family is on", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...guardModes),
      fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 }),
      (mode, abouts) => {
        const { delivery, recorded } = deliveryWith(mode);
        const answers = abouts.map(
          (about) => delivery.deliver(event, [finding(about)], claude)?.context ?? "",
        );
        const texts = answers.filter((text) => text !== "");
        assert.equal(new Set(texts).size, texts.length);
        assert.equal(texts.length, mode === "on" ? new Set(abouts).size : 0);
        assert.equal(recorded.length, mode === "off" ? 0 : abouts.length);
        const repeated = recorded.filter(({ done }) => done === "repeated").length;
        assert.equal(repeated, mode === "off" ? 0 : abouts.length - new Set(abouts).size);
      },
    ),
  );
});

test("an observed finding is recorded once, and sent once its family is on", () => {
  const recorded: GuardHitEntry[] = [];
  let mode: GuardMode = "observe";
  const delivery = new FindingDelivery({
    modeOf: () => mode,
    isExcepted: () => false,
    record: (entries) => recorded.push(...entries),
    ...speech(),
    now: () => 1000,
  });
  const tell = () => delivery.deliver(event, [finding("a")], claude)?.context ?? "";
  assert.deepEqual([tell(), tell()], ["", ""]);
  mode = "on";
  assert.match(tell(), /It fails/u);
  mode = "observe";
  assert.equal(tell(), "");
  mode = "on";
  assert.equal(tell(), "");
  assert.deepEqual(
    recorded.map(({ done }) => done),
    ["observed", "repeated", "advised", "repeated", "repeated"],
  );
});

test("a finding with an exception is not recorded or sent", () => {
  const { delivery, recorded } = deliveryWith(
    "on",
    (rule, text) => rule === "same-failure" && text === "make",
  );
  assert.equal(delivery.deliver(event, [finding("a")], claude), null);
  assert.deepEqual(recorded, []);
  const other = { ...finding("a"), excerpt: "make test" };
  assert.match(
    delivery.deliver(event, [finding("a"), other], claude)?.context ?? "",
    /^[^\n]*It fails[^\n]*$/u,
  );
  assert.equal(recorded.length, 1);
});

test("sends nothing to an agent that takes no context", () => {
  const { delivery, recorded } = deliveryWith("on");
  const stop = { ...event, hook_event_name: "Stop" } as const;
  assert.equal(delivery.deliver(stop, [finding("a")], claude), null);
  assert.deepEqual(
    recorded.map(({ done }) => done),
    ["observed"],
  );
});

test("a session never gets more per turn than its budget, and may get the rest later", () => {
  const budget = fc.record({
    turn: fc.nat(2),
    pieces: fc.nat(4),
    characters: fc.constantFrom(0, 60, 100, 150, 400),
  });
  const given = fc.record({
    session: fc.constantFrom("s", "t"),
    about: fc.integer({ min: 1, max: 30 }),
    budget,
  });
  fc.assert(
    fc.property(fc.array(fc.array(given, { minLength: 1, maxLength: 4 }), { maxLength: 15 }), (calls) => {
      const recorded: GuardHitEntry[] = [];
      let now = { turn: 0, pieces: 0, characters: 0 };
      const delivery = new FindingDelivery({
        modeOf: () => "on",
        record: (entries) => recorded.push(...entries),
        ...speech(),
        isExcepted: () => false,
        budgetOf: () => now,
        now: () => 1000,
      });
      const heard = new Map<string, { turn: number; pieces: number; characters: number }>();
      let turn = 0;
      for (const call of calls) {
        const [first] = call;
        if (first === undefined) continue;
        // Turns only go on; the budget of one may change.
        turn += first.budget.turn;
        now = { ...first.budget, turn };
        const findings = call.map(({ about }) => finding("x".repeat(about)));
        const answer = delivery.deliver({ ...event, session_id: first.session }, findings, claude);
        const before = heard.get(first.session);
        const sum = before?.turn === turn ? before : { turn, pieces: 0, characters: 0 };
        if (answer === null) continue;
        const pieces = sum.pieces + (answer.rule ?? "").split(" ").length;
        const characters = sum.characters + (answer.context ?? "").length;
        heard.set(first.session, { turn, pieces, characters });
        assert.ok(pieces <= now.pieces && characters <= now.characters);
      }
      assert.equal(
        recorded.length,
        calls.reduce((sum, call) => sum + call.length, 0),
      );
    }),
  );
});

test("a withheld finding is recorded, and sent in the next turn", () => {
  const recorded: GuardHitEntry[] = [];
  let now = { turn: 1, pieces: 1, characters: 400 };
  const delivery = new FindingDelivery({
    modeOf: () => "on",
    record: (entries) => recorded.push(...entries),
    ...speech(),
    isExcepted: () => false,
    budgetOf: () => now,
    now: () => 1000,
  });
  const both = [finding("a"), finding("b")];
  assert.equal(delivery.deliver(event, both, claude)?.rule, "same-failure");
  now = { ...now, turn: 2 };
  assert.match(delivery.deliver(event, both, claude)?.context ?? "", /fails \(b\)/u);
  assert.deepEqual(
    recorded.map(({ done }) => done),
    ["advised", "withheld", "repeated", "advised"],
  );
});

test("hits of a silent rule are recorded but not sent until it is recalled", () => {
  const silent = new Set(["same-failure"]);
  const { delivery, recorded } = deliveryWith("on", undefined, silent);
  assert.equal(delivery.deliver(event, [finding("a")], claude), null);
  silent.clear();
  assert.match(delivery.deliver(event, [finding("a")], claude)?.context ?? "", /It fails/u);
  assert.deepEqual(
    recorded.map(({ done }) => done),
    ["silent", "advised"],
  );
});

test("a silent rule only observes if its family does", () => {
  const { delivery, recorded } = deliveryWith("observe", undefined, new Set(["same-failure"]));
  delivery.deliver(event, [finding("a")], claude);
  assert.deepEqual(
    recorded.map(({ done }) => done),
    ["observed"],
  );
});
