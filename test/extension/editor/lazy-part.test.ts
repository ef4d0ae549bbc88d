import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { LazyPart } from "../../../src/extension/editor/lazy-part.ts";

/** A lazily loaded part that arrives when the test decides. */
function begin() {
  const did: string[] = [];
  const loaded = new EventEmitter();
  const promise = new Promise<{ dispose: () => void }>((resolve, reject) => {
    loaded.on("there", () => resolve({ dispose: () => did.push("dispose") }));
    loaded.on("gone", reject);
  });
  const part = new LazyPart(() => {
    did.push("load");
    return promise;
  });
  const arrive = () => loaded.emit("there");
  const reject = (why: Error) => loaded.emit("gone", why);
  return { part, did, arrive, reject };
}

test("A part is loaded when it is first needed, and once", async () => {
  const { part, did, arrive } = begin();
  assert.deepEqual(did, []);
  const both = [part.get(), part.get()];
  arrive();
  const [one, other] = await Promise.all(both);
  assert.equal(one, other);
  assert.deepEqual(did, ["load"]);
});

test("disposing an unused part does not load it", () => {
  const { part, did } = begin();
  part.dispose();
  assert.deepEqual(did, []);
});

test("a part disposed while loading is disposed once it is loaded", async () => {
  const { part, did, arrive } = begin();
  const loading = part.get();
  part.dispose();
  assert.deepEqual(did, ["load"]);
  arrive();
  await loading;
  assert.deepEqual(did, ["load", "dispose"]);
});

test("reports a part that cannot be loaded to its user, but not on disposal", async () => {
  const { part, reject } = begin();
  const loading = part.get();
  part.dispose();
  reject(new Error("the bundle is gone"));
  await assert.rejects(loading, /the bundle is gone/u);
});
