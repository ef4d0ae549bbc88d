import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Output } from "../../../../src/engine/cli/cli-ports.ts";
import { withRemedies } from "../../../../src/engine/cli/doctor/remedies.ts";

async function printed(run: (stderr: Output) => Promise<number>) {
  let text = "";
  const output: Output = { write: (more) => (text += String(more)), columns: 80 };
  const code = await withRemedies("hooks", output, run);
  return { code, text };
}

const refused = (code: string, file: string) =>
  Promise.reject(Object.assign(new Error(code), { code, syscall: "open", path: file }));

test("ends with a line that names the refused file, and one with the remedy", async () => {
  const { code, text } = await printed(() => refused("EACCES", "/home/ann/.purser/a"));
  assert.equal(code, 1);
  const [first, second, ...others] = text.trim().split("\n");
  assert.equal(first, "purser hooks: /home/ann/.purser/a: EACCES");
  assert.match(second ?? "", /^EACCES: .*Check owner and permissions/u);
  assert.deepEqual(others, []);
});

test("each code that a command prints is explained once, after all that it prints", async () => {
  const { code, text } = await printed((stderr) => {
    stderr.write("a: ENOSPC\n");
    stderr.write("b: ENOSPC\n");
    return Promise.resolve(stderr.columns ?? 0);
  });
  assert.deepEqual([code, text.match(/ENOSPC/gu)?.length], [80, 3]);
  assert.match(
    text,
    /Free some space: nothing that was recorded is lost, and purser goes on by itself\.\n$/u,
  );
});

test("any other error is one of the program, and a command without one prints what it prints", async () => {
  await assert.rejects(
    printed(() => readFile("/no/such/file").then(() => 0)),
    /ENOENT/u,
  );
  await assert.rejects(
    printed(() => Promise.reject(new Error("EACCES"))),
    /EACCES/u,
  );
  assert.deepEqual(await printed((stderr) => Promise.resolve(Number(stderr.write("fine\n") !== ""))), {
    code: 1,
    text: "fine\n",
  });
});
