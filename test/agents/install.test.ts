import { assert } from "../engine/support/assert-texts.ts";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { agentsCache, installClaude, newestClaude } from "./install.ts";

async function withCache(use: (cache: string) => Promise<void>): Promise<void> {
  const cache = await mkdtemp(join(tmpdir(), "purser-cache-"));
  try {
    await use(cache);
  } finally {
    await rm(cache, { recursive: true });
  }
}

test("two that install at once end with one copy, and nothing half done", async () => {
  await withCache(async (cache) => {
    let installs = 0;
    const installPackage = async (_wanted: string, folder: string): Promise<null> => {
      installs += 1;
      const bin = join(folder, "node_modules", "@anthropic-ai", "claude-code", "bin");
      await mkdir(bin, { recursive: true });
      await delay(20 * installs);
      await writeFile(join(bin, "claude.exe"), "");
      return null;
    };
    const both = await Promise.all([
      installClaude(newestClaude, cache, installPackage),
      installClaude(newestClaude, cache, installPackage),
    ]);
    assert.deepEqual(both[0], both[1]);
    assert.equal(both[0].ok, true);
    assert.deepEqual(await readdir(cache), [`claude-code-${newestClaude}`]);
    assert.deepEqual(await installClaude(newestClaude, cache, installPackage), both[0]);
    assert.equal(installs, 2, "one that is there is reused");
  });
});

test("reports in npm's words what cannot be installed", async () => {
  await withCache(async (cache) => {
    const result = await installClaude("2.1.197", cache, async () => Promise.resolve("E404 not found"));
    assert.deepEqual(result, {
      ok: false,
      reason: "cannot_install",
      detail: "npm install @anthropic-ai/claude-code@2.1.197: E404 not found",
    });
    assert.deepEqual(await readdir(cache), []);
  });
});

test("uses the environment's cache folder, or else the user's cache", () => {
  assert.equal(agentsCache({ PURSER_AGENTS_CACHE: "/x" }, "/home/dev"), "/x");
  assert.equal(agentsCache({}, "/home/dev"), join("/home/dev", ".cache", "purser-agents"));
});
