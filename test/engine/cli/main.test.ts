import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { after, describe, it } from "node:test";
import { childEnv } from "../support/child-env.ts";
import { responseRow, Scratch } from "./support/support.ts";

const program = fileURLToPath(new URL("../../../src/engine/cli/main.ts", import.meta.url));
const scratch = new Scratch();
after(() => {
  scratch.dispose();
});

function start(...argv: string[]) {
  const env = { ...childEnv, CLAUDE_CONFIG_DIR: scratch.root };
  return spawn(process.execPath, [program, ...argv], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  await once(child, "exit");
  return child.exitCode;
}

describe("the program purser", () => {
  it("prints the version in package.json", async () => {
    const child = start("--version");
    const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
    assert.ok(manifest.includes(`"version": "${(await text(child.stdout)).trim()}"`));
  });

  it("exits with 2 for wrong arguments", async () => {
    const child = start("usage", "--bye");
    assert.equal(await exitCode(child), 2);
  });

  it("exits quietly when its reader has read enough", async () => {
    scratch.transcript("-argo/s-1.jsonl", responseRow({ id: "1" }));
    const child = start("usage", "--json");
    child.stdout.destroy();
    assert.deepEqual(await Promise.all([exitCode(child), text(child.stderr)]), [0, ""]);
  });

  it("starts threads when there is much to read", async () => {
    const filler = `${JSON.stringify({ type: "user", message: { role: "user", content: "x".repeat(100_000) } })}\n`;
    for (const name of ["a", "b", "c"])
      scratch.transcript(`-argo/${name}.jsonl`, responseRow({ id: name }) + filler.repeat(60));
    const child = start("usage", "--by", "model");
    assert.match(await text(child.stdout), /^claude-opus-4-5 +\d,000 /mu);
  });
});
