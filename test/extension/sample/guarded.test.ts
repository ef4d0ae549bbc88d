import assert from "node:assert/strict";
import { test } from "node:test";
import { succeed } from "../../../src/engine/base/result.ts";
import { guardedConnection } from "../../../src/extension/sample/guarded.ts";
import { FakeConnection } from "../support/fake-connection.ts";

const t = (message: string) => message;

test("the sample's panels read, and nothing that could start an agent or ask a model reaches its service", async () => {
  const service = new FakeConnection({ benchList: () => succeed({ jobs: [] }) });
  const guarded = guardedConnection(service, t);
  assert.ok((await guarded.ask("benchList", {})).ok);
  const ask = {
    kind: "select",
    suite: { origin: "built-in" },
    agent: "backend",
    ruleIds: null,
    audits: 0,
    model: null,
    effort: null,
    driver: "claude",
    parallel: 1,
    tokenCap: null,
  } as const;
  const order = { ask: { ...ask, ruleIds: null }, env: { ANTHROPIC_API_KEY: "secret" } };
  const refused = [
    await guarded.ask("benchPlan", order),
    await guarded.ask("benchStart", { ...order, project: null }),
    await guarded.ask("benchResume", { id: "one", env: {} }),
    await guarded.ask("benchCancel", { id: "one" }),
    await guarded.ask("rulesDistil", { sessionId: null, isPreview: false }),
  ];
  for (const answer of refused)
    assert.match(answer.ok ? "" : answer.detail.text, /Nothing runs in the sample/u);
  assert.deepEqual(
    service.asked.map(({ name }) => name),
    ["benchList"],
  );
});
