import assert from "node:assert/strict";
import { test } from "node:test";
import { edit, played, read, run, type Fire } from "./support.ts";

const question: Fire = { family: "safety", done: "asked" };
const denied: Fire = { family: "safety", done: "denied" };
const advised = (family: Fire["family"]): Fire => ({ family, done: "advised" });

type Agent = ReturnType<ReturnType<typeof played>["agent"]>;

const others = (agent: Agent, count: number) => {
  for (let number = 1; number <= count; number += 1) agent.does(run(`echo step${number}`));
};

/** Each: what happens, and the outcome; none while it is open. */
const cases: readonly (readonly [string, string | null, (agent: Agent) => void])[] = [
  [
    "a call that was asked about and ran was allowed",
    "overridden",
    (agent) => {
      agent.does(run("rm -rf /opt/data"), question);
      others(agent, 1);
    },
  ],
  [
    "a call that failed after a question was allowed too",
    "overridden",
    (agent) => {
      agent.fails(run("rm -rf /opt/data"), question);
      others(agent, 1);
    },
  ],
  [
    "a question that waits is open",
    null,
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), question);
      others(agent, 3);
    },
  ],
  [
    "a call that was asked about and never ran was not made",
    "followed",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), question);
      agent.prompts();
    },
  ],
  [
    "a denial with which the agent goes on",
    "followed",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), denied);
      others(agent, 6);
    },
  ],
  [
    "a denial after which the turn ends",
    "followed",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), denied);
      agent.stops();
    },
  ],
  [
    "a denied call that is made again",
    "ignored",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), denied);
      agent.isKept(run("rm  -rf /opt/data"));
    },
  ],
  [
    "a denied call that is tried in another form",
    "ignored",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), denied);
      agent.isKept(run("bash -c 'rm -rf /opt/data'"), { ...denied, rule: "b-rule" }, denied);
      others(agent, 1);
    },
  ],
  [
    "a denied call whose effect another call has",
    "overridden",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), denied);
      agent.does(run("find /opt/data -delete"), { rule: "b-rule", family: "safety", done: "observed" });
      others(agent, 1);
    },
  ],
  [
    "a harmless call on the same file does not get round a denial",
    "followed",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), denied);
      agent.does(run("ls /opt/data"));
      others(agent, 6);
    },
  ],
  [
    "the same rule on another thing does not get round a denial",
    "followed",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), denied);
      agent.does(run("rm -rf /opt/other"), { ...question, done: "observed" });
      others(agent, 8);
    },
  ],
  [
    "a denial before the session ends",
    "unknown",
    (agent) => {
      agent.isKept(run("rm -rf /opt/data"), denied);
      agent.leaves();
    },
  ],
  [
    "a thing was there that was said to be missing",
    "false",
    (agent) => {
      agent.does(run("npm run tset"), advised("facts"));
      others(agent, 1);
    },
  ],
  [
    "a success that another command hides tells nothing",
    "unknown",
    (agent) => {
      agent.does(run("cat nothing; ls"), advised("facts"));
      others(agent, 6);
    },
  ],
  [
    "a missing thing's right name",
    "followed",
    (agent) => {
      agent.fails(run("npm run tset"), advised("facts"));
      agent.does(run("npm run test"));
      others(agent, 1);
    },
  ],
  [
    "a missing thing asked for again",
    "ignored",
    (agent) => {
      agent.fails(run("npm run tset"), advised("facts"));
      agent.fails(run("npm run tset"));
    },
  ],
  [
    "a missing thing that is made",
    "progress",
    (agent) => {
      agent.fails(run("npm run tset"), advised("facts"));
      agent.does(edit("/shop/package.json"));
      agent.does(run("npm run tset"));
      others(agent, 1);
    },
  ],
  [
    "a missing thing that is left alone",
    "unknown",
    (agent) => {
      agent.fails(run("npm run tset"), advised("facts"));
      agent.stops();
    },
  ],
  [
    "an endless output, then a bounded one",
    "followed",
    (agent) => {
      agent.does(run("git log"), advised("waste"));
      agent.does(run("git log -20"));
      others(agent, 1);
    },
  ],
  [
    "an endless output again",
    "ignored",
    (agent) => {
      agent.does(run("git log"), advised("waste"));
      agent.does(run("git log --stat"), { family: "waste", done: "repeated" });
      others(agent, 1);
    },
  ],
  [
    "another file of the same program tells nothing",
    "unknown",
    (agent) => {
      agent.does(run("cat big.log"), advised("waste"));
      agent.does(run("cat package.json"));
      others(agent, 20);
    },
  ],
  [
    "a whole file, then a part of it by another tool",
    "followed",
    (agent) => {
      agent.does(run("cat logs/big.log"), advised("waste"));
      agent.does({ tool_name: "Read", tool_input: { file_path: "/shop/logs/big.log", limit: 50 } });
      others(agent, 1);
    },
  ],
  [
    "a file to leave alone that is changed again",
    "ignored",
    (agent) => {
      agent.does(edit("/shop/package-lock.json"), advised("protect"));
      agent.does(edit("/shop/package-lock.json", "y"), { family: "protect", done: "repeated" });
      others(agent, 1);
    },
  ],
  [
    "a loop that goes on",
    "ignored",
    (agent) => {
      for (let round = 0; round < 2; round += 1) agent.fails(run("npm test"));
      agent.end(agent.begin(run("npm test")), false, advised("loops"));
      agent.fails(run("npm test"));
    },
  ],
  [
    "a loop whose call succeeds after an edit",
    "progress",
    (agent) => {
      for (let round = 0; round < 2; round += 1) agent.fails(run("npm test"));
      agent.end(agent.begin(run("npm test")), false, advised("loops"));
      agent.does(edit("/shop/a.ts"));
      agent.does(run("npm test"));
      others(agent, 1);
    },
  ],
  [
    "the other call of a loop of two",
    "ignored",
    (agent) => {
      agent.does(read("/shop/a.ts"));
      agent.does(read("/shop/b.ts"));
      agent.does(read("/shop/a.ts"));
      agent.end(agent.begin(read("/shop/b.ts")), true, advised("loops"));
      agent.does(read("/shop/a.ts"));
    },
  ],
  [
    "a loop that is left",
    "followed",
    (agent) => {
      for (let round = 0; round < 2; round += 1) agent.fails(run("npm test"));
      agent.end(agent.begin(run("npm test")), false, advised("loops"));
      others(agent, 9);
    },
  ],
  [
    "a loop after which the agent ends its turn",
    "followed",
    (agent) => {
      agent.end(agent.begin(run("curl localhost")), true, advised("loops"));
      agent.stops();
    },
  ],
  [
    "a row of reads that an edit ends",
    "progress",
    (agent) => {
      agent.end(agent.begin(read("/shop/a.ts")), true, advised("loops"));
      agent.does(read("/shop/b.ts"));
      agent.does(edit("/shop/b.ts"));
      others(agent, 1);
    },
  ],
  [
    "a row of reads that goes on",
    "ignored",
    (agent) => {
      agent.end(agent.begin(read("/shop/a.ts")), true, advised("loops"));
      for (let number = 0; number < 9; number += 1) agent.does(read(`/shop/b${number}.ts`));
    },
  ],
  [
    "a failing call that succeeded at last was no loop",
    "false",
    (agent) => {
      for (let round = 0; round < 3; round += 1) agent.fails(run("npm test"));
      agent.does(run("npm test"), advised("loops"));
      others(agent, 1);
    },
  ],
  [
    "edits without a check, then a check that fails",
    "progress",
    (agent) => {
      agent.end(agent.begin(edit("/shop/a.ts")), true, advised("verification"));
      agent.fails(run("npx vitest run"));
      others(agent, 1);
    },
  ],
  [
    "edits without a check that go on",
    "ignored",
    (agent) => {
      agent.end(agent.begin(edit("/shop/a.ts")), true, advised("verification"));
      for (let number = 0; number < 4; number += 1) agent.does(edit("/shop/a.ts", String(number)));
      others(agent, 1);
    },
  ],
  [
    "edits without a check until the turn ends",
    "ignored",
    (agent) => {
      agent.end(agent.begin(edit("/shop/a.ts")), true, advised("verification"));
      agent.stops();
    },
  ],
  [
    "an end of a turn without a check, after which the agent checks",
    "progress",
    (agent) => {
      agent.does(edit("/shop/a.ts"));
      agent.stops(advised("verification"));
      agent.does(run("npm test"));
      agent.stops();
    },
  ],
  [
    "an end of a turn without a check that the user answers",
    "unknown",
    (agent) => {
      agent.stops(advised("verification"));
      agent.prompts();
    },
  ],
];

for (const [what, outcome, happens] of cases)
  test(`${what}: ${outcome ?? "open"}`, () => {
    const { agent, outcomes } = played();
    happens(agent());
    const wanted = outcome === null ? [] : [`a-rule ${outcome}`];
    assert.deepEqual(outcomes(), wanted);
  });

test("agents without ids of calls have the same outcomes in these cases", () => {
  for (const [what, outcome, happens] of cases) {
    const { agent, outcomes } = played();
    happens(agent("s", undefined, false));
    assert.deepEqual(outcomes(), outcome === null ? [] : [`a-rule ${outcome}`], what);
  }
});
