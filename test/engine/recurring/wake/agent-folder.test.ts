import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { agentPlace, agentsOf } from "../../../../src/engine/recurring/wake/agent-folder.ts";
import { scratchFolder } from "../../support/scratch.ts";

it("A project's agents are those with a file and those woken before, by any path to the project", async (t) => {
  const root = scratchFolder(t);
  const [project, other, wakes] = ["argo", "other", "wakes"].map((name) => path.join(root, name));
  assert.ok(project !== undefined && other !== undefined && wakes !== undefined);
  assert.deepEqual(await agentsOf(wakes, project), []);
  mkdirSync(path.join(project, ".purser", "agents"), { recursive: true });
  mkdirSync(other);
  for (const name of ["keeper.md", "painter.md", "notes.txt"])
    writeFileSync(path.join(project, ".purser", "agents", name), "");
  for (const [at, name] of [
    [project, "keeper"],
    [project, "gone"],
    [other, "stranger"],
  ] as const)
    mkdirSync(agentPlace(wakes, at, name).folder, { recursive: true });
  symlinkSync(project, path.join(root, "link"));
  const names = ["gone", "keeper", "painter"];
  assert.deepEqual(await agentsOf(wakes, project), names);
  assert.deepEqual(await agentsOf(wakes, path.join(root, "link")), names);
});
