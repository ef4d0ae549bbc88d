import assert from "node:assert/strict";
import { test } from "node:test";
import { filled } from "../../../../src/webview/components/text/sentences.ts";

test("puts elements at the language's position, and keeps placeholders without a value", () => {
  const [link, count] = [{ is: "link" }, { is: "count" }];
  assert.deepEqual(filled("Saved in {0}.", link), ["Saved in ", link, "."]);
  assert.deepEqual(filled("{1} in {0}", link, count), ["", count, " in ", link, ""]);
  assert.deepEqual(filled("{0} {2} {name}", link), ["", link, " ", "{2}", " {name}"]);
  assert.deepEqual(filled("Saved."), ["Saved."]);
});
