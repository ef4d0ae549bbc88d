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
  it("finds a vanished file gone, and reads it when it comes", (t) => {
    const { place, file } = followFile(t);
    assert.deepEqual(file.poll(), stopped("gone"));
    writeFileSync(place, "one\n");
    file.poll();
    rmSync(place);
    assert.deepEqual(file.poll(), stopped("gone"));
    writeFileSync(place, "two\n");
    file.poll();
    assert.deepEqual(file.lines, ["two"]);
  });

  it("finds a file gone whose folder became a file", (t) => {
    const { place } = followFile(t, "one\n");
    assert.deepEqual(new FollowedFile(path.join(place, "x.jsonl")).poll(), stopped("gone"));
  });

  it("refuses a folder with the right name", (t) => {
    const { place, file } = followFile(t);
    mkdirSync(place);
    assert.deepEqual(file.poll(), stopped("refused"));
  });

  it("refuses a link that leads to itself", { skip: isWindows && "Windows may not make links" }, (t) => {
    const { place, file } = followFile(t);
    symlinkSync(place, place);
    assert.deepEqual(file.poll(), stopped("refused"));
  });

  it("refuses a socket", { skip: isWindows && "Windows has no sockets in folders" }, async (t) => {
    const { place, file } = followFile(t);
    const server = createServer().listen(place);
    t.after(() => server.close());
    await once(server, "listening");
    assert.deepEqual(file.poll(), stopped("refused"));
  });

  it(
    "refuses a FIFO at once, though nobody writes to it",
    { skip: isWindows && "Windows has no FIFO" },
    (t) => {
      const { place } = followFile(t);
      assert.ok(makeFifo(t, place));
      const program = fileURLToPath(new URL("../support/poll-once.ts", import.meta.url));
      const said = execFileSync(process.execPath, [program, place], {
        timeout: 10_000,
        killSignal: "SIGKILL",
      });
      assert.deepEqual(JSON.parse(said.toString()), stopped("refused"));
    },
  );

  it(
    "refuses a FIFO that somebody writes to, and takes nothing from it",
    { skip: isWindows && "no FIFO" },
    (t) => {
      const { place, file } = followFile(t);
      assert.ok(makeFifo(t, place));
      const handle = openSync(place, "r+");
      writeSync(handle, "one\n");
      assert.deepEqual(file.poll(), stopped("refused"));
      assert.deepEqual(file.lines, []);
      closeSync(handle);
    },
  );

  it("is denied a file it may not read, and reads it when it may", (t) => {
    const { place, file } = followFile(t, "one\n");
    chmodSync(place, 0);
    asOrdinaryUser(t, () => assert.deepEqual(file.poll(), stopped("denied")));
    chmodSync(place, 0o644);
    file.poll();
    assert.deepEqual(file.lines, ["one"]);
  });

  it("is denied a file in a folder it may not enter", (t) => {
    const { place, file } = followFile(t, "one\n");
    chmodSync(path.dirname(place), 0);
    asOrdinaryUser(t, () => assert.deepEqual(file.poll(), stopped("denied")));
    chmodSync(path.dirname(place), 0o755);
  });
});
