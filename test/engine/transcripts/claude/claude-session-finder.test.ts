import assert from "node:assert/strict";
import { appendFileSync, chmodSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { findTranscripts } from "../../../../src/engine/transcripts/claude/claude-files.ts";
import {
  FlatSubagents,
  runningSessions,
} from "../../../../src/engine/transcripts/claude/claude-session-finder.ts";
import { bytesRead } from "../../support/bytes-read.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

const row = (sessionId: string, text = "Look at the tide table") =>
  `${JSON.stringify({ isSidechain: true, sessionId, type: "user", message: { content: text } })}\n`;

function makeProject(t: Parameters<typeof scratchFolder>[0], files: Record<string, string>) {
  const root = scratchFolder(t);
  const project = path.join(root, "projects", "p");
  writeTree(project, files);
  const flat = new FlatSubagents();
  const attached = (since = 0) => flat.attach(findTranscripts([root]).files, since);
  return {
    flat,
    place: (name: string) => path.join(project, name),
    sessions: (since?: number) =>
      Object.fromEntries(attached(since).map((file) => [path.basename(file.path), file.sessionId])),
  };
}

describe("subagents of the old, flat layout", () => {
  it("belong to the session that their lines name; others keep theirs", (t) => {
    const { sessions } = makeProject(t, {
      "s1.jsonl": row("another, as in a fork"),
      "agent-a1.jsonl": row("s1") + row("s2"),
      "agent-a2.jsonl": `{"type":"summary"}\nnot json\n${row("s2")}`,
      "s1/subagents/agent-a3.jsonl": row("s9"),
    });
    const expected = {
      "s1.jsonl": "s1",
      "agent-a1.jsonl": "s1",
      "agent-a2.jsonl": "s2",
      "agent-a3.jsonl": "s1",
    };
    assert.deepEqual(sessions(), expected);
  });

  it("belong to no session while their first line is incomplete", (t) => {
    const whole = row("s1");
    const { sessions, place } = makeProject(t, {
      "agent-a1.jsonl": whole.slice(0, -1),
      "agent-a2.jsonl": "",
    });
    assert.deepEqual(sessions(), { "agent-a1.jsonl": null, "agent-a2.jsonl": null });
    appendFileSync(place("agent-a1.jsonl"), "\n");
    assert.deepEqual(sessions(), { "agent-a1.jsonl": "s1", "agent-a2.jsonl": null });
  });

  it("do not take a session from a quoted row", (t) => {
    const reported = row("s1", JSON.stringify({ sessionId: "told" }));
    const { sessions } = makeProject(t, {
      "agent-a1.jsonl": `${JSON.stringify({ type: "user", data: { sessionId: "nested" } })}\n${reported}`,
      "agent-a2.jsonl": '"sessionId":"s7"\n{"sessionId":7}\n{"sessionId":""}\n[]\nnull\n',
    });
    assert.deepEqual(sessions(), { "agent-a1.jsonl": "s1", "agent-a2.jsonl": null });
  });

  it("are opened only after a recent change, and only until their session is known", (t) => {
    const { flat, sessions, place } = makeProject(t, {
      "agent-a1.jsonl": row("s1"),
      "agent-a2.jsonl": row("s2"),
    });
    utimesSync(place("agent-a1.jsonl"), 1000, 1000);
    utimesSync(place("agent-a2.jsonl"), 3000, 3000);
    assert.deepEqual(sessions(2_000_000), { "agent-a1.jsonl": null, "agent-a2.jsonl": "s2" });
    assert.equal(flat.sessionOf(place("agent-a1.jsonl")), null);
    assert.equal(flat.sessionOf(place("agent-a2.jsonl")), "s2");
    writeFileSync(place("agent-a2.jsonl"), "");
    assert.deepEqual(sessions(2_000_000), { "agent-a1.jsonl": null, "agent-a2.jsonl": "s2" });
  });

  it("of several GB are recognised by their beginning", { timeout: 60_000 }, (t) => {
    const { sessions, place } = makeProject(t, { "agent-a1.jsonl": row("s1"), "agent-a2.jsonl": "" });
    for (const name of ["agent-a1.jsonl", "agent-a2.jsonl"]) truncateSync(place(name), 3 * 1024 ** 3);
    const read = bytesRead();
    assert.deepEqual(sessions(), { "agent-a1.jsonl": "s1", "agent-a2.jsonl": null });
    assert.ok(bytesRead() - read < 16 * 1024 ** 2, `${bytesRead() - read} bytes`);
  });

  it("that vanish, are FIFOs, or may not be read belong to no session", { timeout: 60_000 }, (t) => {
    const root = scratchFolder(t);
    const project = path.join(root, "projects", "p");
    writeTree(project, { "agent-gone.jsonl": row("s1"), "agent-closed.jsonl": row("s1") });
    makeFifo(t, path.join(project, "agent-fifo.jsonl"));
    const { files } = findTranscripts([root]);
    rmSync(path.join(project, "agent-gone.jsonl"));
    chmodSync(path.join(project, "agent-closed.jsonl"), 0);
    asOrdinaryUser(t, () => {
      for (const { sessionId } of new FlatSubagents().attach(files, 0)) assert.equal(sessionId, null);
    });
  });
});

/** A registration of the newer generation; the older one lacks the status and more. */
const registration = (pid: number, sessionId: string) =>
  JSON.stringify({
    pid,
    sessionId,
    cwd: "/home/dev",
    kind: "interactive",
    entrypoint: "cli",
    status: "busy",
  });

describe("running sessions", () => {
  it("are those with a live process", (t) => {
    const root = scratchFolder(t);
    writeTree(root, {
      "sessions/11.json": registration(11, "s1"),
      "sessions/12.json": registration(12, "left behind"),
      "sessions/13.json": JSON.stringify({ pid: 13, sessionId: "s3" }),
    });
    assert.deepEqual(
      runningSessions([root], (pid) => pid !== 12),
      new Set(["s1", "s3"]),
    );
  });

  it("are those of all roots, whether or not they exist", (t) => {
    const folder = scratchFolder(t);
    writeTree(folder, {
      "one/sessions/11.json": registration(11, "s1"),
      "two/sessions/12.json": registration(12, "s2"),
      "three/sessions": "no folder",
    });
    const roots = ["one", "two", "three", "missing"].map((name) => path.join(folder, name));
    assert.deepEqual(
      runningSessions(roots, () => true),
      new Set(["s1", "s2"]),
    );
  });

  it("are not taken from a file that is not a registration", { timeout: 60_000 }, (t) => {
    const root = scratchFolder(t);
    writeTree(root, {
      "sessions/11.json": registration(11, "half-written").slice(0, 30),
      "sessions/12.json": "",
      "sessions/13.json": "null",
      "sessions/14.json": JSON.stringify({ pid: "14", sessionId: "s4" }),
      "sessions/15.json": JSON.stringify({ pid: 0, sessionId: "everybody" }),
      "sessions/16.json": JSON.stringify({ pid: 16 }),
      "sessions/17.json/x": "",
      "sessions/18.0123abcd.key": registration(18, "a secret"),
      "sessions/19.json.tmp": registration(19, "being written"),
      "sessions/20.json": `${registration(20, "followed by much")}${" ".repeat(100_000)}`,
    });
    makeFifo(t, path.join(root, "sessions", "21.json"));
    assert.deepEqual(
      runningSessions([root], () => true),
      new Set(["followed by much"]),
    );
  });
});
