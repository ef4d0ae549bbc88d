import assert from "node:assert/strict";
import test from "node:test";
import { plainSentence } from "../../../../src/engine/base/language.ts";
import { ensureService } from "../../../../src/engine/service/ensure.ts";
import { LastingService } from "../../../../src/engine/service/launch.ts";
import { serviceRunRecorder } from "../../../../src/engine/jobs/process/run-recorder.ts";
import { makeRun } from "../support/samples.ts";
import { ServiceSandbox } from "../../service/support/box.ts";

test("A bench's runs are in the ledger even if the service ends in between", async (t) => {
  const box = new ServiceSandbox(t, { PURSER_TEST_LEDGER: "1" });
  const clock = { now: () => Date.now() };
  const connect = () => ensureService(box.ports());
  const first = await connect();
  assert.ok(first.ok);
  const service = new LastingService(first.value, { connect, clock });
  t.after(() => service.dispose());
  const problems: string[] = [];
  const recorder = serviceRunRecorder(service, {
    clock,
    onProblem: (problem) => problems.push(problem.text),
  });
  for (const round of [1, 2, 3]) {
    // Each run is recorded after the previous run's service has ended.
    if (round > 1) {
      const current = await connect();
      assert.ok(current.ok && (await current.value.shutdown("asked", 10_000)));
    }
    await recorder.record(makeRun({ round }), "Sum");
  }
  assert.equal(await recorder.left(), 0);
  assert.deepEqual(problems, []);
  const book = await service.ask("goldenBook", { asked: clock.now() });
  assert.ok(book.ok);
  assert.equal(book.value.answer.runs.length, 3);
});

test("Runs that the ledger did not take are recorded with a later one", async () => {
  const taken: string[][] = [];
  const refusals = ["busy", "busy"];
  const recorder = serviceRunRecorder(
    {
      ask: (name, params) => {
        const refusal = refusals.shift();
        if (refusal === undefined) taken.push([name, JSON.stringify(params)]);
        return Promise.resolve({
          ok: false,
          reason: "refused",
          detail: plainSentence(refusal ?? "read only"),
        });
      },
    },
    { clock: { now: () => 0 }, onProblem: (problem) => taken.push(["problem", problem.text]) },
  );
  for (const round of [1, 2, 3]) await recorder.record(makeRun({ round }), "Sum");
  assert.deepEqual(
    taken.map(([kind, text = ""]) => [kind, text.match(/"round":\d/gu)?.join()]),
    [
      ["problem", undefined],
      ["goldenRecord", '"round":1,"round":2,"round":3'],
    ],
  );
  assert.equal(await recorder.left(), 3);
});
