import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DisposableList } from "../../../src/engine/base/events.ts";

describe("a list of disposables", () => {
  it("lets all go once, last taken first", () => {
    const gone: string[] = [];
    const list = new DisposableList();
    for (const name of ["socket", "timer"]) list.add({ dispose: () => gone.push(name) });
    list.dispose();
    list.dispose();
    assert.deepEqual(gone, ["timer", "socket"]);
  });

  it("answers what it was given", () => {
    const item = { dispose: () => undefined, name: "timer" };
    assert.equal(new DisposableList().add(item), item);
  });

  it("disposes at once of what is added too late", () => {
    let gone = 0;
    const list = new DisposableList();
    list.dispose();
    list.add({ dispose: () => (gone += 1) });
    assert.equal(gone, 1);
  });

  it("disposes the others when one fails, and then throws", () => {
    const gone: string[] = [];
    const list = new DisposableList();
    const stuck = new Error("stuck");
    list.add({ dispose: () => gone.push("first") });
    list.add({
      dispose: () => {
        throw stuck;
      },
    });
    list.add({ dispose: () => gone.push("last") });
    assert.throws(
      () => list.dispose(),
      (error) => error instanceof AggregateError && error.errors[0] === stuck,
    );
    assert.deepEqual(gone, ["last", "first"]);
  });
});
