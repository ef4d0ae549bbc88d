import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { it } from "node:test";
import { composeLedger } from "../../../../src/engine/service/compose-ledger.ts";
import { until } from "../../sessions/support/until.ts";
import { programs } from "../../support/programs.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { noticeEvent } from "../../service/support/notice-event.ts";

function row(number: number): string {
  return `${JSON.stringify({
    type: "assistant",
    message: {
      id: `m${number}`,
      model: "claude-sonnet-4-5",
      usage: { input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 0 },
    },
    requestId: `r${number}`,
    timestamp: new Date(Date.now() - 60_000 + number).toISOString(),
    cwd: "/argo",
  })}\n`;
}

it("A service that starts after a transcript was rewritten still reports the session's whole usage", async (t) => {
  const box = new ServiceSandbox(t);
  const start = async () =>
    await box.host({ ledger: composeLedger({ ...box.servicePorts(), programs: programs.ledgerPrograms }) });
  const rows = [1, 2, 3, 4, 5].map(row);
  const file = box.transcript("s-1.jsonl", rows.join(""));
  const first = await start();
  assert.ok((await first.ask("catchUp", {})).ok);
  assert.equal(await first.shutdown("asked", 5000), true);

  writeFileSync(file, `${rows[4]}${row(6)}`);
  const second = await start();
  const view = { roots: box.roots, env: {}, folders: [] };
  assert.ok((await second.ask("configure", view)).ok);
  const shown = until(noticeEvent(second, "snapshot"), ({ sessions }) => sessions[0]?.turns === 6);
  assert.ok((await second.ask("subscribe", {})).ok);
  const { sessions } = await shown;
  assert.deepEqual(
    sessions.map(({ usage, occupancy, cwd }) => [usage.input, usage.output, occupancy.value, cwd]),
    [[6000, 60, 1000, "/argo"]],
  );
  assert.equal(await second.shutdown("asked", 5000), true);
  assert.deepEqual(box.faults(), []);
});
