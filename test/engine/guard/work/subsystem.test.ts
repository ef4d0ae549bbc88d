import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { placeIn, subsystemOf } from "../../../../src/engine/guard/work.ts";

it("a subsystem is a part of the code with its tests, wherever the project is", () => {
  const cases: readonly (readonly [string, string | null, string | null])[] = [
    ["/argo/src/engine/guard/delivery.ts", "/argo", "engine/guard"],
    ["/argo/test/engine/guard/work/step.test.ts", "/argo", "engine/guard"],
    ["/argo/README.md", "/argo", null],
    ["/argo/src/index.ts", "/argo/", null],
    ["/argo/packages/mast/src/lib/a.ts", "/argo", "mast/src"],
    ["src\\engine\\ledger\\a.ts", null, "engine/ledger"],
    ["C:\\Argo\\src\\Sails\\a.ts", "c:\\argo", "Sails"],
    ["/elsewhere/a/b/c.ts", "/argo", "outside"],
    ["/argonaut/a/b.ts", "/argo", "outside"],
    ["../other/a.ts", "/argo", "outside"],
    ["/argo/a/b.ts", null, "outside"],
  ];
  for (const [file, root, expected] of cases) assert.equal(subsystemOf(file, root), expected, file);
});

it("any path has a subsystem or none, and no subsystem begins with a slash", () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string()), (file, root) => {
      const part = subsystemOf(file, root);
      assert.ok(part === null || (part !== "" && !part.startsWith("/")));
      assert.ok(!(placeIn(file, root) ?? "").includes("\\"));
    }),
  );
});
