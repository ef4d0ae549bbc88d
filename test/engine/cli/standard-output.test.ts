import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { PassThrough } from "node:stream";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { printingSignal, StandardOutput } from "../../../src/engine/cli/standard-output.ts";
import { scratchFolder } from "../support/scratch.ts";

const source = fileURLToPath(new URL("../../../src/engine/cli/standard-output.ts", import.meta.url));
const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} é\n`).join("");

/** Starts a program that writes the lines, in two parts, and then ends. */
function writer(test: TestContext) {
  const script = path.join(scratchFolder(test), "write.mts");
  writeFileSync(
    script,
    `import { printingSignal, StandardOutput } from ${JSON.stringify(source)};
     const output = new StandardOutput(1, () => process.stdout, process.platform);
     const lines = Array.from({ length: 40_000 }, (_, index) => "line " + index + " é\\n").join("");
     output.write(lines.slice(0, 1000));
     output.write(lines.slice(1000));
     process.exitCode = 3;`,
  );
  return spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "pipe"], timeout: 30_000 });
}

const ended = (child: ReturnType<typeof writer>) =>
  new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));

describe("standard output", () => {
  it("has everything in order, even for a slow reader", async (test) => {
    const child = writer(test);
    const exit = ended(child);
    const [got, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    assert.equal(got, lines);
    assert.deepEqual([complaint, code], ["", 3]);
  });

  it("is dropped when its reader has read enough, and the program runs to its own end", async (test) => {
    const child = writer(test);
    const exit = ended(child);
    child.stdout.once("data", () => child.stdout.destroy());
    assert.deepEqual([await text(child.stderr), await exit], ["", 3]);
  });

  it("reports once that nobody reads any more", { skip: process.platform === "win32" }, (test) => {
    const pipe = path.join(scratchFolder(test), "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const descriptor = openSync(pipe, "w");
    test.after(() => closeSync(descriptor));
    const output = new StandardOutput(descriptor, () => assert.fail("opened"), process.platform);
    let count = 0;
    output.closed.addEventListener("abort", () => (count += 1));
    output.write("read\n");
    closeSync(reader);
    const { signal } = new AbortController();
    const printing = printingSignal({ signal, stdout: output });
    assert.equal(printing.aborted, false);
    for (let times = 0; times < 3; times += 1) assert.equal(output.write("dropped\n"), true);
    assert.deepEqual(
      [count, output.closed.aborted, printing.aborted, signal.aborted],
      [1, true, true, false],
    );
  });

  it(
    "continues in Node's stream if a full pipe forbids waiting",
    { skip: process.platform === "win32" },
    (test) => {
      const pipe = path.join(scratchFolder(test), "pipe");
      execFileSync("mkfifo", [pipe]);
      const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      test.after(() => closeSync(descriptor));
      const stream = Object.assign(new PassThrough(), { isTTY: false, fd: descriptor });
      const output = new StandardOutput(descriptor, () => stream, process.platform);
      output.write(lines);
      output.write("the end\n");
      const inPipe = Buffer.alloc(lines.length * 2);
      const length = readSync(descriptor, inPipe);
      const rest = String(stream.read());
      assert.ok(length > 0 && rest.length > 0);
      assert.equal(
        Buffer.concat([inPipe.subarray(0, length), Buffer.from(rest)]).toString(),
        `${lines}the end\n`,
      );
    },
  );

  it("opens no stream for a file, and asks Node's stream whether it is a terminal only if it may be one", (test) => {
    const file = path.join(scratchFolder(test), "file");
    const descriptor = openSync(file, "w");
    const output = new StandardOutput(descriptor, () => assert.fail("opened"), process.platform);
    assert.equal(output.isTTY, false);
    assert.equal(output.write("a"), true);
    assert.equal(output.write(Buffer.from("b")), true);
    closeSync(descriptor);
    assert.equal(readFileSync(file, "utf8"), "ab");
    const device = openSync("/dev/null", "w");
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    assert.equal(new StandardOutput(device, () => terminal, process.platform).isTTY, true);
    closeSync(device);
  });
});
