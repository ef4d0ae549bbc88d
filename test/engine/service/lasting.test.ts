import { compose, plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import { LastingService } from "../../../src/engine/service/launch.ts";
import type { Requester } from "../../../src/engine/jobs/all-requests.ts";

type Connection = ConstructorParameters<typeof LastingService>[0];

/** A service that refuses every request until it ends. */
class FakeService implements Requester {
  isOver = false;
  isDisposed = false;

  ask: Requester["ask"] = (name) =>
    Promise.resolve(
      this.isOver
        ? fail("closed", plainSentence("the connection is over"))
        : fail("refused", compose`${name} is not answered here`),
    );

  dispose(): void {
    this.isDisposed = true;
  }
}

function place(next: readonly Result<Connection>[]) {
  let [now, connected] = [0, 0];
  const first = new FakeService();
  const service = new LastingService(first, {
    clock: { now: () => now },
    connect: () => {
      connected += 1;
      return Promise.resolve(next[connected - 1] ?? fail("unresponsive", plainSentence("there is none")));
    },
  });
  return { first, service, count: () => connected, pass: (time: number) => (now += time) };
}

describe("a connection that outlives the service", () => {
  it("sends pending requests to the next service, with one connection for all", async () => {
    const second = new FakeService();
    const { first, service, count } = place([succeed(second)]);
    assert.equal((await service.ask("ledgerStatus", {})).ok, false);
    assert.equal(count(), 0, "a refusal is an answer");
    first.isOver = true;
    const answers = await Promise.all([1, 2, 3].map(() => service.ask("ledgerStatus", {})));
    assert.ok(answers.every((answer) => !answer.ok && answer.reason === "refused"));
    assert.equal(count(), 1);
    service.dispose();
    assert.ok(second.isDisposed);
    second.isOver = true;
    await service.ask("ledgerStatus", {});
    assert.equal(count(), 1, "not after its end");
  });

  it("rests after an attempt that failed", async () => {
    const { first, service, count, pass } = place([
      fail("unresponsive", plainSentence("busy")),
      succeed(new FakeService()),
    ]);
    first.isOver = true;
    for (let request = 0; request < 5; request += 1) {
      const answer = await service.ask("ledgerStatus", {});
      assert.equal(answer.ok || answer.reason, "closed");
    }
    assert.equal(count(), 1);
    pass(60_000);
    const answer = await service.ask("ledgerStatus", {});
    assert.equal(answer.ok || answer.reason, "refused");
  });
});
