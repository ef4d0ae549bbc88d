import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";

test("PURSER_HOME means the same folder in every program: a relative path is below the user's home", () => {
  const home = path.resolve("/home/ada");
  for (const [configured, expected] of [
    [undefined, ".purser"],
    ["  ", ".purser"],
    ["own", "own"],
    ["./a/../own", "own"],
    ["../shared", "../shared"],
    ["~/own", "own"],
    ["~", ""],
    [path.resolve("/srv/purser"), "/srv/purser"],
  ] as const) {
    const { folder } = purserPaths({ env: { PURSER_HOME: configured }, home });
    assert.equal(folder, path.resolve(home, expected), configured);
  }
});
