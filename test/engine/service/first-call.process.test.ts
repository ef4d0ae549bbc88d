import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { hookProgram } from "../support/programs.ts";
import {
  agentFor,
  callsDuringKills,
  firstCall,
  guardedHome,
  judgeCall,
  killService,
  removeHome,
} from "./support/first-calls.ts";

const destructive = "rm -rf ~";
const required = { guardFamilies: { safety: "required" } };

/** Small versions of `npm run bench -- first-call`. */
describe("the first calls of sessions", { skip: process.platform === "win32" }, () => {
  it("are judged where no service ran before", async () => {
    for (let turn = 0; turn < 20; turn += 4) {
      const { fate, output, beginning } = await firstCall(hookProgram, {
        turn,
        command: destructive,
        settings: { guardMode: "on" },
      });
      assert.notEqual(fate, "passed", `${agentFor(turn)} after ${beginning}: ${output}`);
    }
  });

  it("never pass while the service is killed at random, with a required family", async () => {
    const commandOf = (turn: number) => (turn % 4 === 3 ? "git status" : destructive);
    const { judged } = await callsDuringKills(hookProgram, { calls: 20, commandOf, settings: required });
    const passed = judged.filter(({ fate }, turn) => fate === "passed" && commandOf(turn) === destructive);
    assert.deepEqual(passed, []);
  });

  it("of a required family are denied without Node, and with settings that nobody can read", async (t) => {
    const place = guardedHome("/no/such/hook.cjs", required);
    t.after(() => removeHome(place));
    const { fate, output } = await judgeCall(place, "codex", destructive);
    assert.equal(fate, "untimely");
    assert.match(output, /^2 .*could not judge this call, and a guard is required \(.*settings\.json\)/u);
    writeFileSync(place.home.settings, '{ "guardMode": "on" }');
    assert.equal((await judgeCall(place, "codex", destructive)).fate, "passed", "other families fail open");
    // Root can read everything.
    if (process.getuid?.() === 0) return;
    chmodSync(place.home.settings, 0);
    assert.equal((await judgeCall(place, "gemini", destructive)).fate, "untimely");
  });

  it("are judged while an answering service is killed", async (t) => {
    const place = guardedHome(hookProgram, required);
    t.after(() => removeHome(place));
    assert.equal((await judgeCall(place, "codex", destructive)).fate, "stopped");
    const judging = judgeCall(place, "codex", destructive);
    setTimeout(() => killService(place.home), 5);
    assert.notEqual((await judging).fate, "passed");
  });
});
