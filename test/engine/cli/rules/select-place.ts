import assert from "node:assert/strict";
import path from "node:path";
import type { TestContext } from "node:test";
import { rulesJson } from "../../../../src/engine/cli/rules/rules-schema.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";
import { served } from "../../service/support/rules-service.ts";
import { Scratch } from "../support/support.ts";
import { recordedSuite } from "./select-suite.ts";

/** A service, and commands that find an agent if one is named. */
export async function selectPlace(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const { box } = await served(t);
  const suite = await recordedSuite(t);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const host = {
    home: box.folder,
    now: () => Date.now(),
    version: () => "1.0.0",
    suite,
    env: { ...box.env, PATH: process.env["PATH"], CLAUDE_CONFIG_DIR: scratch.root, ...env },
  };
  const purser = (...argv: string[]) => scratch.purser(argv, host);
  const added = async (text: string) => {
    const { stdout, stderr } = await purser("rules", "add", "backend", "--rule", text);
    const [id = ""] = /^r[0-9a-f]{10}/u.exec(stdout) ?? [];
    assert.notEqual(id, "", stderr);
    return id;
  };
  const rules = async () =>
    rulesJson.parse(JSON.parse((await purser("rules", "list", "--json")).stdout)).rules;
  const memory = path.join(scratch.root, "agent-memory", "backend", "MEMORY.md");
  const { benches } = purserPaths(host);
  return { purser, added, rules, memory, benches };
}
