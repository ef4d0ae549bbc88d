import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, utimes, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cachedFolder } from "./cache-folder.ts";

const cache = await mkdtemp(join(tmpdir(), "purser-cache-"));
after(() => rm(cache, { recursive: true }));

test("builds a folder once", async () => {
  let built = 0;
  const build = async (draft: string) => {
    built += 1;
    await writeFile(join(draft, "file"), "content");
  };
  const first = await cachedFolder({ cache, name: "once", build });
  const second = await cachedFolder({ cache, name: "once", build });
  assert.equal(first, second);
  assert.equal(built, 1);
  assert.equal(await readFile(join(first, "file"), "utf8"), "content");
});

test("two simultaneous builds leave one whole folder and no draft", async () => {
  let builders = 0;
  const build = async (draft: string) => {
    builders += 1;
    while (builders < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await writeFile(join(draft, "file"), "content");
  };
  const paths = await Promise.all([1, 2].map(() => cachedFolder({ cache, name: "race", build })));
  assert.equal(new Set(paths).size, 1);
  assert.deepEqual(await readdir(join(cache, "race")), ["file"]);
  assert.ok((await readdir(cache)).every((entry) => !entry.startsWith(".draft-")));
});

test("a build that fails leaves nothing and fails again", async () => {
  const build = () => Promise.reject(new Error("no network"));
  await assert.rejects(cachedFolder({ cache, name: "never", build }), /no network/u);
  await assert.rejects(cachedFolder({ cache, name: "never", build }), /no network/u);
  assert.ok((await readdir(cache)).every((entry) => entry !== "never" && !entry.startsWith(".draft-")));
});

test("drafts of processes that died long ago are removed", async () => {
  const draft = join(cache, ".draft-old");
  await mkdir(draft);
  const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
  await utimes(draft, longAgo, longAgo);
  await cachedFolder({ cache, name: "after", build: () => Promise.resolve() });
  assert.ok(!(await readdir(cache)).includes(".draft-old"));
});
