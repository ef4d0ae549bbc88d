import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { placeSample } from "../../../src/extension/sample/unpack.ts";
import { agentFiles, claudeFolder, workspace } from "../../sample/agent-files.ts";
import { moment } from "../../sample/clock.ts";

const packed = path.resolve(import.meta.dirname, "../../../media/sample.json.br");

test("the packed sample has the agents' sessions as they are recorded and made up now, each file once", async () => {
  const text = brotliDecompressSync(await readFile(packed)).toString("utf8");
  const placed = placeSample(text, { now: moment, workspace, claude: claudeFolder });
  assert.ok(placed.ok);
  const names = placed.value.files.map(([name]) => name);
  assert.equal(new Set(names).size, names.length);
  const files = new Map(placed.value.files);
  for (const [name, wanted] of await agentFiles())
    assert.equal(files.get(name), wanted, `${name}: npm run generate -- sample packs it again`);
});
