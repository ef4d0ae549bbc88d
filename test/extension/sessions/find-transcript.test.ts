import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { findTranscript } from "../../../src/extension/sessions/find-transcript.ts";

let home = "";
before(async () => {
  home = await mkdtemp(path.join(tmpdir(), "purser-find-"));
});
after(() => rm(home, { recursive: true, force: true }));

async function put(...parts: string[]): Promise<string> {
  const file = path.join(home, ...parts);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, "");
  return file;
}

test("a session of Claude Code and one of Codex are found by their ids, wherever they are", async () => {
  const [one, other] = ["5e550001-0000-4000-8000-000000000001", "5e550002-0000-4000-8000-000000000002"];
  const claude = await put(".claude", "projects", "-home-mara-harbor", `${one}.jsonl`);
  const name = `rollout-2026-11-21T14-32-00-${other}.jsonl`;
  const codex = await put(".codex", "sessions", "2026", "11", "21", name);
  const places = { env: {}, home };
  assert.equal(await findTranscript(one, places), claude);
  assert.equal(await findTranscript(other, places), codex);
  assert.equal(await findTranscript("nobody", places), undefined);
});

test("an id that is a path leads nowhere", async () => {
  await put(".claude", "secret.jsonl");
  await mkdir(path.join(home, ".claude", "projects", "-x"), { recursive: true });
  for (const id of ["../../secret", "..\\..\\secret", "", ".", "a/b"])
    assert.equal(await findTranscript(id, { env: {}, home }), undefined, id);
});
