import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import zlib from "node:zlib";
import { findRollouts, sessionIdOf } from "../../../../src/engine/transcripts/codex/codex-files.ts";
import { readRollout, runtimeZstd } from "../../../../src/engine/transcripts/codex/codex-attribution.ts";
import { codexRoots } from "../../../../src/engine/transcripts/home-folder.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";
import { idAt, meta, response, vector } from "./rollout-rows.ts";

const [one, two] = [idAt(0), idAt(1)];
const name = (id: string) => `rollout-2026-11-02T09-00-00-${id}.jsonl`;
const content = `${[meta(0, { id: one }), response(1, one, "r1", vector(10, 0, 1))].join("\n")}\n`;

describe("Codex's files", () => {
  it("are in the CODEX_HOME folder, else in the home folder", () => {
    const roots = (env: Record<string, string>) => codexRoots({ env, home: "/home/dev", paths: path.posix });
    assert.deepEqual(roots({}), ["/home/dev/.codex/sessions", "/home/dev/.codex/archived_sessions"]);
    assert.deepEqual(roots({ CODEX_HOME: "/srv/codex" }), [
      "/srv/codex/sessions",
      "/srv/codex/archived_sessions",
    ]);
    assert.deepEqual(roots({ CODEX_HOME: "~/c" })[0], "/home/dev/c/sessions");
    assert.deepEqual(roots({ CODEX_HOME: " " })[0], "/home/dev/.codex/sessions");
  });

  it("have their session's id in their names", () => {
    assert.equal(sessionIdOf(`/x/${name(one)}`), one);
    assert.equal(sessionIdOf(`${name(one)}.zst`), one);
    for (const other of [`${name(one)}.bak`, "rollout.jsonl", `x-${name(one)}`, `rollout-1/${one}.jsonl`])
      assert.equal(sessionIdOf(other), undefined);
  });

  it("are found by day, archived and compressed; each session once, the active and plain file first", (t) => {
    const home = scratchFolder(t);
    writeTree(home, {
      [`sessions/2026/11/02/${name(one)}`]: content,
      [`sessions/2026/11/02/${name(one)}.zst`]: "",
      "sessions/2026/11/02/notes.jsonl": "",
      [`sessions/2026/11/02/deep/${name(two)}`]: "",
      [`archived_sessions/${name(one)}`]: content,
      [`archived_sessions/${name(two)}.zst`]: "",
    });
    const { files, problems } = findRollouts(codexRoots({ env: { CODEX_HOME: home }, home: "/" }));
    assert.deepEqual(problems, []);
    assert.deepEqual(
      files.map((file) => path.relative(home, file.path).replaceAll(path.sep, "/")),
      [`sessions/2026/11/02/${name(one)}`, `archived_sessions/${name(two)}.zst`],
    );
    assert.deepEqual(findRollouts([path.join(home, "missing")]), { files: [], problems: [] });
  });
});

describe("reading a rollout's file", () => {
  it("reads it whole", (t) => {
    const file = path.join(scratchFolder(t), name(one));
    writeFileSync(file, content);
    const read = readRollout(file);
    assert.ok(read.ok && read.value.records.length === 1);
  });

  it("reports files that cannot be read", (t) => {
    const folder = scratchFolder(t);
    const reason = (file: string) => {
      const read = readRollout(file);
      return read.ok ? "read" : read.reason;
    };
    assert.equal(reason(path.join(folder, name(one))), "gone");
    assert.equal(reason(path.join(folder, `${name(one)}.zst`)), "gone");
    mkdirSync(path.join(folder, name(two)));
    assert.equal(reason(path.join(folder, name(two))), "refused");
    const fifo = path.join(folder, `${name(two)}.zst`);
    if (makeFifo(t, fifo)) assert.equal(reason(fifo), "refused");
  });

  it(
    "reads a compressed file like the plain one",
    { skip: runtimeZstd === null && "no Zstandard here" },
    (t) => {
      const folder = scratchFolder(t);
      const [plain, packed] = [path.join(folder, name(one)), path.join(folder, `${name(one)}.zst`)];
      writeFileSync(plain, content);
      writeFileSync(packed, zlib.zstdCompressSync(Buffer.from(content)));
      assert.deepEqual(readRollout(packed), readRollout(plain));
      writeFileSync(packed, "no frame of this kind");
      const damaged = readRollout(packed);
      assert.equal(damaged.ok ? "read" : damaged.reason, "damaged");
    },
  );

  it("reports when the runtime cannot decompress", (t) => {
    const file = path.join(scratchFolder(t), `${name(one)}.zst`);
    writeFileSync(file, "");
    const read = readRollout(file, null);
    assert.ok(!read.ok && read.reason === "unsupported");
    assert.match(read.detail.text, /runtime cannot read Zstandard/u);
  });
});
