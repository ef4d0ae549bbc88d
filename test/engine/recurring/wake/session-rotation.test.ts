import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  chooseSession,
  durationOf,
  rotationCause,
} from "../../../../src/engine/recurring/wake/session-rotation.ts";
import type { SessionState } from "../../../../src/engine/recurring/wake/recurring-wake-state.ts";
import { rotationCauses, wakeReasons } from "../../../../src/engine/ledger/woken.ts";
import { recurringAgent } from "./support/agent.ts";

const session = (over: Partial<SessionState> = {}): SessionState => ({
  id: "s",
  program: "claude",
  model: "m",
  folder: "/argo",
  startedAt: 0,
  lastAt: 0,
  wakes: 1,
  turns: 1,
  sessionHash: "h",
  inputs: [],
  hits: [],
  ...over,
});

describe("chooseSession", () => {
  const wanted = { task: "T1", program: "claude", model: "m", folder: "/argo", isForced: false };
  const few = { task: fc.constantFrom("", "T1", "T2"), program: fc.constantFrom("claude", "codex") };
  const place = { model: fc.constantFrom("m", "n"), folder: fc.constantFrom("/argo", "/other") };

  it("continues the task's session unless one of the few reasons applies, and returns that reason", () => {
    fc.assert(
      fc.property(
        fc.record({ ...few, ...place, isForced: fc.boolean() }),
        fc.dictionary(few.task, fc.record({ program: few.program, ...place })),
        fc.boolean(),
        fc.option(fc.constantFrom(...rotationCauses)),
        (asked, known, exists, cause) => {
          const sessions = Object.fromEntries(
            Object.entries(known).map(([task, each]) => [task, session(each)]),
          );
          const {
            resume,
            replaced,
            reason,
            cause: why,
          } = chooseSession(
            asked,
            sessions,
            () => exists,
            () => cause,
          );
          const own = Object.hasOwn(sessions, asked.task) ? sessions[asked.task] : undefined;
          assert.ok(wakeReasons.includes(reason));
          assert.equal(resume !== null, reason === "reused");
          assert.equal(why !== null, reason === "rotated");
          // What it knows is handed over, unless it is gone or its person wants none of it.
          assert.equal(replaced !== null, reason === "rotated" || /^other_(?!task)/u.test(reason));
          if (replaced !== null) assert.equal(replaced, own);
          if (resume !== null) {
            // Never a session of something else.
            assert.equal(resume, own);
            assert.deepEqual(
              [resume.program, resume.model, resume.folder, exists, cause, asked.isForced],
              [asked.program, asked.model, asked.folder, true, null, false],
            );
            return;
          }
          const holds = {
            reused: false,
            forced: asked.isForced,
            first: Object.keys(sessions).length === 0,
            other_task: own === undefined,
            other_program: own?.program !== asked.program,
            other_folder: own?.folder !== asked.folder,
            other_model: own?.model !== asked.model,
            invalid_resume: !exists,
            rotated: cause !== null,
          };
          assert.ok(holds[reason], reason);
        },
      ),
    );
  });

  it("reads neither the session's files nor its age if another reason applies", () => {
    const never = () => assert.fail("asked");
    assert.equal(
      chooseSession({ ...wanted, isForced: true }, { T1: session() }, never, never).reason,
      "forced",
    );
    assert.equal(chooseSession({ ...wanted, task: "__proto__" }, {}, never, never).reason, "first");
  });
});

describe("rotationCause", () => {
  const agent = recurringAgent("keeper");
  const cause = (over: Partial<SessionState>, ...lines: string[]) => {
    const own = lines.length === 0 ? agent : recurringAgent("keeper", ...lines);
    return rotationCause(session({ sessionHash: own.sessionHash, ...over }), own, 20 * 86_400_000);
  };
  const young = { startedAt: 19 * 86_400_000 };

  it("goes by the agent's thresholds", () => {
    assert.equal(cause({ ...young, sessionHash: "other" }), "definition");
    assert.equal(cause({ ...young, turns: 5 }, "rotation: { turns: 5 }"), "turns");
    assert.equal(cause({ startedAt: 0 }), "age");
    assert.equal(cause({ startedAt: 0 }, "rotation: { age: 30d }"), null);
    assert.equal(cause({ ...young, inputs: [1, 900] }, "rotation: { input: 900 }"), "input");
    assert.equal(cause({ ...young, inputs: [900, 1] }, "rotation: { input: 900 }"), null);
    assert.equal(
      cause({ ...young, hits: [0.9, 0.2, 0.1, 0.9] }, "rotation: { cacheHits: 0.5 }"),
      "cache_hits",
    );
  });

  it("without a threshold replaces a session once its wakes raise its average, and not for one dear wake", () => {
    assert.equal(cause({ ...young, inputs: [20_000, 2000, 2500, 3000, 3500, 4000] }), null);
    assert.equal(cause({ ...young, inputs: [20_000, 2000, 2500, 90_000, 3500, 4000] }), null);
    assert.equal(cause({ ...young, inputs: [20_000, 2000, 9000, 14_000, 15_000, 16_000] }), "input");
    assert.equal(cause({ ...young, inputs: [1000, 2000, 3000, 4000] }), null);
  });

  it("costs at most a few per cent more than the best moment to replace a session with growing costs", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5000, max: 60_000 }),
        fc.integer({ min: 50, max: 1000 }),
        fc.integer({ min: 200, max: 4000 }),
        (fresh, growth, minimum) => {
          const costs = [fresh];
          while (costs.length < 400 && cause({ ...young, inputs: costs }) === null)
            costs.push(minimum + growth * costs.length);
          const average = (count: number) => {
            let sum = fresh;
            for (let wake = 1; wake < count; wake += 1) sum += minimum + growth * wake;
            return sum / count;
          };
          const best = Math.min(...Array.from({ length: 400 }, (_, count) => average(count + 1)));
          assert.ok(
            average(costs.length) <= best * 1.25,
            `${costs.length} wakes: ${average(costs.length)} instead of ${best}`,
          );
        },
      ),
    );
  });

  it("replaces a session with fallen cache hits, not one that never had any", () => {
    assert.equal(cause({ ...young, hits: [0, 0.9, 0.9, 0.9, 0.1, 0.2, 0.1] }), "cache_hits");
    assert.equal(cause({ ...young, hits: [0, 0.1, 0.1, 0.1, 0.1, 0.2, 0.1] }), null);
  });

  it("reads times", () => {
    assert.deepEqual(["90m", "12h", "7d"].map(durationOf), [5_400_000, 43_200_000, 604_800_000]);
  });
});
