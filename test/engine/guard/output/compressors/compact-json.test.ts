import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  compactJson,
  compactJsonLines,
} from "../../../../../src/engine/guard/output/compressors/compact-json.ts";
import { compressOutput } from "../../../../../src/engine/guard/output/compressors/compress.ts";
import { restoredJson } from "./support/restored.ts";

const pods = Array.from({ length: 40 }, (_, at) => ({
  kind: "Pod",
  metadata: { name: `web-${at}`, namespace: "harbor", labels: { app: "web" } },
  status: { phase: at === 21 ? "Failed" : "Running", restarts: at === 21 ? 57 : 0 },
  ...(at === 21 ? { reason: "CrashLoopBackOff" } : {}),
}));

describe("compact JSON", () => {
  it("writes the names of similar objects once, and what all have", () => {
    const made = compactJson(JSON.stringify(pods, null, 2)) ?? "";
    assert.deepEqual(made.split("\n").slice(0, 3), [
      "[… 341 repeated names left out …] (a,b,c=1)[[2,3]] stands for [{a:2,b:3,c:1}]; objects unlike the others are written out",
      '(kind="Pod",metadata(name,namespace="harbor",labels=(app="web")),status(phase,restarts),reason)[',
      '[["web-0"],["Running",0],],',
    ]);
    assert.ok(
      made.includes(
        '\n{"kind": "Pod","metadata": {"name": "web-21","namespace": "harbor","labels": {"app": "web"}},' +
          '"status": {"phase": "Failed","restarts": 57},"reason": "CrashLoopBackOff"},\n',
      ),
      made,
    );
    assert.deepEqual(restoredJson(made), pods);
  });

  it("leaves numbers and texts as they were written", () => {
    const text =
      '[ {"id": 12345678901234567890, "weight": 1.0},\n{"id": 2, "weight": 1e3}, {"id":3,"weight":-0.50} ]';
    const made = compactJson(text) ?? "";
    assert.ok(made.endsWith("(id,weight)[\n[12345678901234567890,1.0],\n[2,1e3],\n[3,-0.50]\n]"), made);
  });

  it("reads a line of JSON for each row", () => {
    const lines = pods.map((pod) => JSON.stringify(pod)).join("\n");
    assert.deepEqual(restoredJson(compactJsonLines(`${lines}\n`) ?? ""), pods);
  });

  it("keeps objects that are unlike, a name that occurs twice, and what is no JSON", () => {
    assert.equal(compactJson('[ {"a": 1}, {"b": 2, "b": 3}, {"a": 1} ]'), '[{"a":1},{"b":2,"b":3},{"a":1}]');
    for (const text of ["", "{", "[1,]", "[01]", "{'a':1}", '{"a":1} x', "[1 2]", '["a]', "NaN", "[+1]"])
      assert.equal(compactJson(text), null, text);
    assert.equal(compactJson("[".repeat(5000) + "]".repeat(5000)), null);
  });

  it("is answered after a failure, too", () => {
    const report = JSON.stringify({ errors: pods }, null, 2);
    const made = compressOutput(report, { command: [["./check.sh"]], isFailure: true });
    assert.deepEqual(restoredJson(made?.text ?? ""), { errors: pods });
  });

  it("gives the same value back, whatever it is", () => {
    const name = fc.oneof(
      fc.constantFrom("a", "b", "c", "d-e", "$f.g", "(", 'h"', "", "ü", "=,"),
      fc.string(),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie("value"), { maxLength: 5 }),
        fc.dictionary(name, tie("value"), { maxKeys: 5 }),
        fc.array(
          fc.record(
            { a: tie("value"), b: fc.constant(1), c: fc.record({ d: fc.nat(), e: tie("value") }) },
            { requiredKeys: ["a"] },
          ),
          {
            maxLength: 8,
          },
        ),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (any, indent) => {
        const text = JSON.stringify(any, null, indent);
        const made = compactJson(text);
        if (made === null) assert.ok(typeof any !== "object" || any === null, text);
        else
          assert.deepEqual(
            JSON.stringify(sorted(restoredJson(made))),
            JSON.stringify(sorted(JSON.parse(text))),
          );
      }),
    );
  });
});

/** With the names of each object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([name, each]) => [name, sorted(each)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
