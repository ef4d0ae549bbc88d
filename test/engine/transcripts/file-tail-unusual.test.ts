import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { FollowedFile, followFile } from "../support/followed-file.ts";
import { makeFifo } from "../support/make-fifo.ts";
import { asOrdinaryUser } from "../support/ordinary-user.ts";

const isWindows = process.platform === "win32";
const stopped = (state: string) => ({ state, restarted: false, more: false });

describe("the tail of something unusual", () => {
  it("reports a vanished file as gone, and reads it when it returns", (t) => {
    const { filePath, file } = followFile(t);
    assert.deepEqual(file.poll(), stopped("gone"));
    writeFileSync(filePath, "one\n");
    file.poll();
    rmSync(filePath);
    assert.deepEqual(file.poll(), stopped("gone"));
    writeFileSync(filePath, "two\n");
    file.poll();
    assert.deepEqual(file.lines, ["two"]);
  });

  it("reports a file as gone when its folder became a file", (t) => {
    const { filePath } = followFile(t, "one\n");
    assert.deepEqual(new FollowedFile(path.join(filePath, "x.jsonl")).poll(), stopped("gone"));
  });

  it("refuses a folder with the right name", (t) => {
    const { filePath, file } = followFile(t);
    mkdirSync(filePath);
    assert.deepEqual(file.poll(), stopped("refused"));
  });

  it("refuses a link that leads to itself", { skip: isWindows && "Windows may not make links" }, (t) => {
    const { filePath, file } = followFile(t);
    symlinkSync(filePath, filePath);
    assert.deepEqual(file.poll(), stopped("refused"));
  });

  it("refuses a socket", { skip: isWindows && "Windows has no sockets in folders" }, async (t) => {
    const { filePath, file } = followFile(t);
    const server = createServer().listen(filePath);
    t.after(() => server.close());
    await once(server, "listening");
    assert.deepEqual(file.poll(), stopped("refused"));
  });

  it("refuses a FIFO at once, though it has no writer", { skip: isWindows && "Windows has no FIFO" }, (t) => {
    const { filePath } = followFile(t);
    assert.ok(makeFifo(t, filePath));
    const program = fileURLToPath(new URL("../support/poll-once.ts", import.meta.url));
    const output = execFileSync(process.execPath, [program, filePath], {
      timeout: 10_000,
      killSignal: "SIGKILL",
    });
    assert.deepEqual(JSON.parse(output.toString()), stopped("refused"));
  });

  it("refuses a FIFO with a writer, and takes nothing from it", { skip: isWindows && "no FIFO" }, (t) => {
    const { filePath, file } = followFile(t);
    assert.ok(makeFifo(t, filePath));
    const handle = openSync(filePath, "r+");
    writeSync(handle, "one\n");
    assert.deepEqual(file.poll(), stopped("refused"));
    assert.deepEqual(file.lines, []);
    closeSync(handle);
  });

  it("reports a file it may not read as denied, and reads it when allowed", (t) => {
    const { filePath, file } = followFile(t, "one\n");
    chmodSync(filePath, 0);
    asOrdinaryUser(t, () => assert.deepEqual(file.poll(), stopped("denied")));
    chmodSync(filePath, 0o644);
    file.poll();
    assert.deepEqual(file.lines, ["one"]);
  });

  it("reports a file in a folder it may not enter as denied", (t) => {
    const { filePath, file } = followFile(t, "one\n");
    chmodSync(path.dirname(filePath), 0);
    asOrdinaryUser(t, () => assert.deepEqual(file.poll(), stopped("denied")));
    chmodSync(path.dirname(filePath), 0o755);
  });
});
