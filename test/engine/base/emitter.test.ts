import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Emitter } from "../../../src/engine/base/events.ts";

describe("an emitter", () => {
  it("calls every listener, in order of registration", () => {
    const emitter = new Emitter<number>();
    const received: string[] = [];
    emitter.on((value) => received.push(`first ${value}`));
    emitter.on((value) => received.push(`second ${value}`));
    emitter.fire(1);
    emitter.fire(2);
    assert.deepEqual(received, ["first 1", "second 1", "first 2", "second 2"]);
  });

  it("does not call a disposed listener, even while it fires", () => {
    const emitter = new Emitter<number>();
    const received: string[] = [];
    emitter.on(() => later.dispose());
    const later = emitter.on(() => received.push("later"));
    emitter.fire(1);
    later.dispose();
    assert.deepEqual(received, []);
  });

  it("does not call a listener that was added while it fires", () => {
    const emitter = new Emitter<number>();
    const received: number[] = [];
    emitter.on((value) => {
      if (value === 1) emitter.on((later) => received.push(later));
    });
    emitter.fire(1);
    assert.deepEqual(received, []);
    emitter.fire(2);
    assert.deepEqual(received, [2]);
  });

  it("lets the same function listen twice, and go once", () => {
    const emitter = new Emitter<number>();
    let count = 0;
    const listener = () => (count += 1);
    const one = emitter.on(listener);
    emitter.on(listener);
    emitter.fire(1);
    assert.equal(count, 2);
    one.dispose();
    one.dispose();
    emitter.fire(2);
    assert.equal(count, 3);
  });

  it("calls the others when one throws, and then throws its error", () => {
    const emitter = new Emitter<number>();
    const received: number[] = [];
    const broken = new Error("broken");
    emitter.on(() => {
      throw broken;
    });
    emitter.on((value) => received.push(value));
    assert.throws(
      () => emitter.fire(7),
      (error) => error instanceof AggregateError && error.errors[0] === broken,
    );
    assert.deepEqual(received, [7]);
  });

  it("calls nobody after it is disposed", () => {
    const emitter = new Emitter<number>();
    emitter.on(() => assert.fail("told"));
    emitter.dispose();
    emitter.fire(1);
  });
});
