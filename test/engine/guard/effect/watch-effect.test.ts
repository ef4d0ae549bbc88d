import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { played, run, type Fire } from "./support.ts";

const denied: Fire = { family: "safety", done: "denied" };
const advised: Fire = { family: "waste", done: "advised" };

/** What is known of the session, as a restarted service reads it. */
function rewritten(memory: SessionMemory): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(memory.dump("s"))));
}

test("a subagent's calls do not decide hits of its session, and its end decides its own hits", () => {
  const { agent, outcomes } = played();
  const [main, sub] = [agent(), agent("s", "sub")];
  main.isKept(run("rm -rf /opt/data"), denied);
  sub.isKept(run("rm -rf /opt/data"), { ...denied, rule: "sub-rule" });
  sub.does(run("ls"));
  sub.stops();
  assert.deepEqual(outcomes(), ["sub-rule followed"]);
  main.stops();
  assert.deepEqual(outcomes(), ["sub-rule followed", "a-rule followed"]);
});

test("decides hits from before a restart of the service", () => {
  const before = new SessionMemory();
  const first = played({ memory: before });
  first.agent().isKept(run("rm -rf /opt/data"), denied);
  const after = new SessionMemory();
  const second = played({ memory: after });
  after.load("s", rewritten(before));
  second.agent().stops();
  assert.deepEqual([first.outcomes(), second.outcomes()], [[], ["a-rule followed"]]);
});

test("stores nothing for sessions without delivered hits", () => {
  const memory = new SessionMemory();
  const agent = played({ memory, isOn: false }).agent();
  agent.does(run("git log"), { family: "waste", done: "observed" });
  assert.equal(memory.dump("s"), null);
});

test("the state of a session contains no text of its calls", () => {
  const memory = new SessionMemory();
  const agent = played({ memory }).agent();
  agent.does(run("cat /opt/secret-place"), advised);
  assert.doesNotMatch(JSON.stringify(memory.dump("s")), /secret|cat|opt/u);
});

test("the state of a session is bounded, and dropped hits are unknown", () => {
  const memory = new SessionMemory();
  const { agent, recorded } = played({ memory });
  const main = agent();
  for (let number = 0; number < 300; number += 1) {
    main.isKept(run(`cat file${number}`), { ...advised, rule: `rule-${number}` });
    agent("s", `sub ${number}`).isKept(run("rm -rf /opt/data"), denied);
  }
  assert.ok(JSON.stringify(memory.dump("s")).length < 60_000);
  const reread = new SessionMemory();
  played({ memory: reread });
  assert.deepEqual(reread.load("s", rewritten(memory)), []);
  assert.ok(recorded.length > 500);
  assert.deepEqual([...new Set(recorded.map(({ outcome }) => outcome))], ["unknown"]);
});
