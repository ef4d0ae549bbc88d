import { test } from "node:test";
import { served } from "../../service/support/rules-service.ts";
import { acted, added, decided, measurementParams, sentence } from "../../service/support/rules-acts.ts";
import { assert } from "../../support/assert-texts.ts";

test("a measured rule costs what its verdict counted with, in the list, the report and the evidence alike", async (t) => {
  const { client, root } = await served(t);
  const id = await added(client, sentence);
  const candidate = await decided(client, { id, act: { kind: "approve" }, root });
  assert.deepEqual([candidate.rent.cost, candidate.rent.isMeasured], [candidate.rent.total, false]);

  const measured = await acted(client.ask("rulesMeasured", measurementParams(id, "saves", root)));
  // The measurement's threshold is 40: twice the cost at that time.
  assert.deepEqual([measured.rent.cost, measured.rent.isMeasured], [20, true]);
  assert.equal(measured.rent.total, candidate.rent.total, "today's estimate is still known");
  const evidence = await client.ask("rulesEvidenceOf", { id });
  assert.ok(evidence.ok);
  assert.equal(evidence.value.evidence?.bar, 2 * measured.rent.cost);

  const active = await decided(client, { id, act: { kind: "approve" }, root });
  assert.equal(active.rent.cost, 20);
  const report = await client.ask("rulesReport", { project: null });
  assert.ok(report.ok);
  const scout = report.value.report.agents.find(({ agent }) => agent === "scout");
  assert.deepEqual([scout?.rent, scout?.active.map(({ rent }) => rent)], [20, [20]]);
});

test("a replay shows the same cost as its evidence", async (t) => {
  const { client, root } = await served(t);
  const id = await added(client, sentence);
  await decided(client, { id, act: { kind: "approve" }, root });
  const shown = await acted(client.ask("rulesMeasured", measurementParams(id, "saves", root, "replay")));
  assert.deepEqual([shown.status, shown.rent.cost], ["approved", 20]);
});
