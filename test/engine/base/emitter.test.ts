import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Emitter } from "../../../src/engine/base/emitter.ts";

describe("an emitter", () => {
  it("tells every listener, in the order they came", () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    emitter.on((value) => heard.push(`first ${value}`));
    emitter.on((value) => heard.push(`second ${value}`));
    emitter.fire(1);
    emitter.fire(2);
    assert.deepEqual(heard, ["first 1", "second 1", "first 2", "second 2"]);
  });

  it("does not tell a listener that was let go, even while it fires", () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    emitter.on(() => later.dispose());
    const later = emitter.on(() => heard.push("later"));
    emitter.fire(1);
    later.dispose();
    assert.deepEqual(heard, []);
  });

  it("does not tell a listener that came while it fires", () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    emitter.on((value) => {
      if (value === 1) emitter.on((later) => heard.push(later));
    });
    emitter.fire(1);
    assert.deepEqual(heard, []);
    emitter.fire(2);
    assert.deepEqual(heard, [2]);
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

  it("tells the others when one throws, and then throws what it threw", () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    const broken = new Error("broken");
    emitter.on(() => {
      throw broken;
    });
    emitter.on((value) => heard.push(value));
    assert.throws(
      () => emitter.fire(7),
      (error) => error instanceof AggregateError && error.errors[0] === broken,
    );
    assert.deepEqual(heard, [7]);
  });

  it("tells nobody after it is disposed", () => {
    const emitter = new Emitter<number>();
    emitter.on(() => assert.fail("told"));
    emitter.dispose();
    emitter.fire(1);
  });
});
