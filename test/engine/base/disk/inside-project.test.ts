import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { insideProject } from "../../../../src/engine/base/disk/project-folder.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("a file to write below a project lies inside it after links are resolved", (t) => {
  const root = scratchFolder(t);
  const [project, home] = [path.join(root, "project"), path.join(root, "home")];
  for (const folder of [path.join(project, "shared"), path.join(home, "keys"), `${project}-2`])
    mkdirSync(folder, { recursive: true });
  const link = (name: string, target: string) => symlinkSync(target, path.join(project, name), "junction");
  link("out", home);
  link("beside", `${project}-2`);
  link("up", root);
  link("in", path.join(project, "shared"));
  link("chain", path.join(project, "out"));
  symlinkSync(project, path.join(root, "alias"), "junction");
  const isInside = (...parts: string[]) => insideProject(path.join(project, ...parts), project).ok;
  for (const parts of [
    [""],
    [".purser"],
    ["a", "b", "c.json"],
    ["in", "x.json"],
    ["..purser"],
    ["up", "project"],
  ])
    assert.equal(isInside(...parts), true, parts.join("/"));
  for (const parts of [
    ["out"],
    ["out", "keys", "new", "x"],
    ["beside", "x"],
    ["up", "x"],
    ["chain", "x"],
    [".."],
  ])
    assert.equal(isInside(...parts), false, parts.join("/"));
  assert.equal(insideProject(path.join(root, "alias", "x"), project).ok, true);
  assert.equal(insideProject(path.join(project, "x"), path.join(root, "alias")).ok, true);
  const refused = insideProject(path.join(project, "out", "x.json"), project);
  assert.ok(!refused.ok && refused.detail.text.includes(path.join(home, "x.json")), "the real path is named");
});
