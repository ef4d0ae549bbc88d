import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { loadSuite } from "../../../../src/engine/bench/suite/load-suite.ts";
import { sourceSuite } from "../../../../src/engine/bench/suite/folders.ts";
import { recordingsFolder } from "../../../../src/engine/bench/drivers/make.ts";
import { loadRecordings } from "../../../../src/engine/bench/state/recording.ts";

const engine = path.join(import.meta.dirname, "../../../../src/engine");

test("every golden task has a recording of it as it is now; npm run generate -- golden-recordings makes them", async () => {
  const suite = await loadSuite(sourceSuite(engine));
  assert.ok(suite.ok, suite.ok ? "" : suite.detail.text);
  const folder = recordingsFolder(suite.value);
  const recordings = await loadRecordings(folder);
  assert.ok(recordings.ok, recordings.ok ? "" : recordings.detail.text);
  const wanted = suite.value.tasks.map(({ id, hash }) => [id, hash]).sort();
  assert.deepEqual(
    [...recordings.value.values()].map(({ task, taskHash }) => [task, taskHash]).sort(),
    wanted,
  );
  assert.ok([...recordings.value.values()].every(({ by }) => by === "script"));
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map((file) => stat(path.join(file.parentPath, file.name)));
  const bytes = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
  assert.ok(bytes < 400_000, `${bytes} bytes`);
});
