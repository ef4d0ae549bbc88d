import { plainSentence } from "../../../../src/engine/base/language.ts";
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import type { HandoverView } from "../../../../src/engine/continuity/continuity-answers.ts";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { readCard } from "../../../../src/engine/continuity/handover/card.ts";
import type { Handovers } from "../../../../src/engine/continuity/host/handover-host.ts";
import { assert } from "../../support/assert-texts.ts";
import { made, place } from "./handed-over.ts";
import { packetOf } from "../packet-fixture.ts";
import { open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";

const dayMs = 86_400_000;

async function listed(handovers: Handovers): Promise<readonly HandoverView[]> {
  const all = await handovers.list();
  assert.ok(all.ok);
  return all.value.handovers;
}

const prompt = (id: string) => `Handover ${id}: go on with the work`;

test("A document is written for its owner alone, and stored with where the work is", async (t) => {
  const { handovers, folder } = await place(t);
  const notified: number[] = [];
  handovers.onChange((all) => notified.push(all.length));
  const draft = await made(handovers);
  assert.equal(draft.file, path.join(folder, "handovers", "2026-11-24 Mend the login form.md"));
  assert.equal(readFileSync(draft.file, "utf8"), draft.text);
  if (process.platform !== "win32") assert.equal(statSync(draft.file).mode & 0o777, 0o600);
  assert.partialDeepStrictEqual(draft, {
    id: "h00000001",
    sessionId: "s-1",
    program: "claude-code",
    branch: "login",
    headCommit: "1".repeat(40),
    state: "made",
    carried: 121_300,
    changed: [],
  });
  assert.deepEqual(notified, [1]);
  const missing = await handovers.make("none");
  assert.match(missing.ok ? "" : missing.detail.text, /nothing is known of the session "none"/u);
});

test("A person's text in a document stays, and reaches the next agent", async (t) => {
  const { handovers } = await place(t);
  const { id, file } = await made(handovers);
  appendFileSync(file, "\nMind the tide.\n");
  const started = await handovers.start(id, "codex");
  assert.ok(started.ok);
  assert.ok(started.value.draft.text.endsWith("\nMind the tide.\n"));
  assert.equal(started.value.draft.toProgram, "codex");
});

test("An agent's summary is added next to a person's text, and only our own text changes", async (t) => {
  const { handovers, summing } = await place(t);
  const { id, file, text } = await made(handovers);
  const off = await handovers.toImprove(id);
  assert.deepEqual(off.ok && off.value.model, null);
  summing.model = "ship-1";
  assert.equal(handovers.summingModel, "ship-1");
  const read = await handovers.toImprove(id);
  assert.deepEqual(read.ok && read.value, {
    document: text,
    model: "ship-1",
    models: { "ship-1": { output: 2 } },
  });
  appendFileSync(file, "\nMind the tide.\n");
  const improved = await handovers.improve(id, "## In short\n\n> Half of it.");
  assert.ok(improved.ok);
  assert.equal(improved.value.draft.text, readFileSync(file, "utf8"));
  assert.match(improved.value.draft.text, /\n\n## In short\n\n> Half of it\.\n\n## [^]*Mind the tide\.\n$/u);
  writeFileSync(file, Buffer.from("\uFEFFHandover", "utf16le"));
  const other = await handovers.improve(id, "## In short\n\n> Half of it.");
  assert.match(
    other.ok ? "" : other.detail.text,
    /was written by another program, in an encoding that is not ours/u,
  );
  rmSync(file);
  assert.equal((await handovers.toImprove(id)).ok, false);
});

test("The first session that starts with a document takes it, also after a restart", async (t) => {
  const { handovers, create, time } = await place(t);
  const { id } = await made(handovers);
  await handovers.start(id, "codex");
  time.now += 5000;
  await handovers.noteSession({ id: "s-1", program: "claude-code", prompt: prompt(id) });
  assert.equal((await listed(handovers))[0]?.toSession, null);
  await handovers.noteSession({ id: "s-2", program: "codex", prompt: prompt(id) });
  await handovers.noteSession({ id: "s-3", program: "gemini", prompt: prompt(id) });
  await handovers.noteSession({ id: "s-4", program: "codex", prompt: prompt("h99999999") });
  const taken = { id, state: "taken", toProgram: "codex", toSession: "s-2", takenAt: time.now };
  assert.partialDeepStrictEqual(await listed(handovers), [taken]);
  assert.partialDeepStrictEqual(await listed(create()), [taken]);
});

test("A document that is printed in the session to which its work was offered is taken by that, and by no other", async (t) => {
  const { handovers } = await place(t);
  for (const [session, reader, state] of [
    ["s-1", "reader", "taken"],
    ["s-2", "reader", "made"],
    ["s-1", "another", "made"],
  ] as const) {
    const written = await handovers.make(session, reader);
    assert.ok(written.ok);
    const { draft } = written.value;
    assert.deepEqual([draft.state, draft.toSession], [state, state === "taken" ? reader : null]);
  }
});

test("A session without hooks is recognized by the first prompt in its transcript", async (t) => {
  const { handovers, ledger, prompts, time } = await place(t);
  const { id } = await made(handovers);
  assert.equal(handovers.isWaiting, false);
  await handovers.start(id, "copilot");
  assert.equal(handovers.isWaiting, true);
  const at = time.now + 2000;
  for (const [session, firstAt] of [
    ["s-0", at - 60_000],
    ["s-2", at],
    ["s-3", at],
  ] as const)
    await ledger.append([{ kind: "session", id: session, program: "copilot", firstAt, lastAt: at }]);
  // A session that started earlier cannot have started with the document.
  prompts.set("s-0", prompt(id));
  prompts.set("s-2", "Mend the sail");
  await handovers.lookForSuccessors();
  assert.equal(handovers.isWaiting, true);
  prompts.set("s-3", prompt(id));
  await handovers.lookForSuccessors();
  assert.partialDeepStrictEqual(await listed(handovers), [{ state: "taken", toSession: "s-3" }]);
  assert.equal(handovers.isWaiting, false);
});

test("A document marks a changed project in its text and its state, until the project is as before", async (t) => {
  const { handovers, project } = await place(t);
  const { id, text } = await made(handovers);
  project.commit = "2".repeat(40);
  const later = await handovers.open(id);
  assert.ok(later.ok);
  assert.partialDeepStrictEqual(later.value.draft, {
    state: "out_of_date",
    changed: ["the last commit is 2222222222, it was 1111111111"],
  });
  assert.match(
    readFileSync(later.value.draft.file, "utf8"),
    /\n> \*\*Out of date:\*\* the last commit is 2222222222/u,
  );
  assert.equal((await listed(handovers))[0]?.state, "out_of_date");
  project.commit = "1".repeat(40);
  const again = await handovers.open(id);
  assert.ok(again.ok);
  assert.deepEqual([again.value.draft.text, again.value.draft.state], [text, "made"]);
  project.changed = "M\0a.ts\0";
  const edited = await handovers.start(id, "codex");
  assert.ok(edited.ok);
  assert.deepEqual(edited.value.draft.changed, ["uncommitted files changed"]);
});

test("A document in another encoding is marked as outdated once, and keeps its undecodable bytes", async (t) => {
  const { handovers, project, time } = await place(t);
  const { id, file, text } = await made(handovers);
  project.commit = "2".repeat(40);
  assert.ok((await handovers.open(id)).ok);
  appendFileSync(file, "Mind the tide.\r\nAnd the moon.\r\n");
  project.commit = "3".repeat(40);
  const opened = await handovers.open(id);
  assert.ok(opened.ok);
  const marks = opened.value.draft.text
    .split("\n")
    .flatMap((line, at) => (line.startsWith("> **Out of date:**") ? at : []));
  assert.deepEqual(marks, [2]);
  project.commit = "1".repeat(40);
  const again = await handovers.open(id);
  assert.ok(again.ok);
  assert.equal(again.value.draft.text, `${text}Mind the tide.\r\nAnd the moon.\r\n`);
  project.commit = "2".repeat(40);
  for (const bytes of [
    Buffer.from(`\ufeff${text}`, "utf16le"),
    Buffer.concat([Buffer.from(text), Buffer.of(0xe9, 0x0a)]),
  ]) {
    writeFileSync(file, bytes);
    time.now += 60_000;
    const started = await handovers.start(id, "codex");
    assert.ok(started.ok && started.value.draft.changed.length === 1);
    assert.deepEqual(readFileSync(file), bytes);
  }
  writeFileSync(file, " \n");
  time.now += 60_000;
  const empty = await handovers.start(id, "codex");
  assert.match(empty.ok ? "" : empty.detail.text, /is empty/u);
});

test("Two windows that hand over at once get one document, and a person's changes stay until the session works on", async (t) => {
  const { handovers, time, work } = await place(t);
  const [one, other] = await Promise.all([made(handovers), made(handovers)]);
  assert.equal(one.id, other.id);
  const card = { ...readCard(one.text), goal: "Only the form" };
  assert.ok((await handovers.write(one.id, card)).ok);
  const again = await made(handovers);
  assert.deepEqual([again.id, readCard(again.text).goal], [one.id, "Only the form"]);
  work.turns += 1;
  const later = await made(handovers);
  assert.deepEqual(
    [later.id, path.basename(later.file)],
    ["h00000002", "2026-11-24 Mend the login form (2).md"],
  );
  assert.ok((await handovers.start(later.id, "codex")).ok);
  const twice = await handovers.start(later.id, "claude-code");
  assert.match(twice.ok ? "" : twice.detail.text, /started with it a moment ago/u);
  time.now += 60_000;
  assert.ok((await handovers.start(later.id, "claude-code")).ok);
});

test("A document is found under its name, under the id it was named by before, and after a person renamed it", async (t) => {
  const { handovers, create, folder } = await place(t);
  const { id, file, text } = await made(handovers);
  const found = async () => {
    const opened = await create().open(id);
    return opened.ok ? path.basename(opened.value.draft.file) : opened.detail.text;
  };
  // Its first line is gone: its path is enough.
  writeFileSync(file, text.slice(text.indexOf("\n\n") + 2));
  assert.equal(await found(), path.basename(file));
  writeFileSync(file, text);
  renameSync(file, path.join(folder, "handovers", "my notes.md"));
  assert.equal(await found(), "my notes.md");
  renameSync(path.join(folder, "handovers", "my notes.md"), path.join(folder, "handovers", `${id}.md`));
  assert.equal(await found(), `${id}.md`);
});

test("What the old session knew and its successor does not is listed, and put back by hooks or as a text", async (t) => {
  const { handovers, packets, chosen, reached } = await place(t);
  const { id, text } = await made(handovers);
  assert.deepEqual(await handovers.gap(id), succeed({ gap: null }));
  packets.set("s-1", packetOf({ sessionId: "s-1" }));
  assert.match(text, /Mend the login form/u);
  await handovers.noteSession({ id: "s-2", program: "codex", prompt: prompt(id) });
  packets.set(
    "s-2",
    packetOf({ files: [{ path: "src/login.ts", turn: 1, reads: 1, edits: 0, outcome: "read" }] }),
  );
  const gap = async () => {
    const asked = await handovers.gap(id);
    assert.ok(asked.ok && asked.value.gap !== null);
    return asked.value.gap;
  };
  const found = await gap();
  const textsOf = (kind: string) => found.items.filter((item) => item.kind === kind).map((item) => item.text);
  assert.deepEqual(textsOf("file"), ["src/errors.ts", "README.md"]);
  assert.deepEqual(textsOf("decision"), ["Never change the API"]);
  assert.equal(found.isReached, false);
  const [first, second] = found.items;
  assert.ok(first !== undefined && second !== undefined);
  const copied = await handovers.putBack(id, [first.id]);
  assert.match(
    copied.ok ? (copied.value.text ?? "") : "",
    /its handover leaves out[^]*Never change the API/u,
  );
  assert.deepEqual([...chosen.keys()], []);
  reached.add("s-2");
  assert.deepEqual(await handovers.putBack(id, [second.id, "unknown"]), succeed({ text: null }));
  assert.deepEqual([...chosen], [[`s-2 handover:${id}`, [second.id]]]);
  const after = await gap();
  assert.deepEqual(
    after.items.slice(0, 3).map(({ back }) => back),
    ["given", "chosen", null],
  );
  const early = await handovers.putBack("h99999999", [first.id]);
  assert.match(early.ok ? "" : early.detail.text, /no session has begun with the handover h99999999 yet/u);
});

test("Nothing starts where the session's folder is gone", async (t) => {
  const { handovers } = await place(t, { isThere: () => false });
  const { id } = await made(handovers);
  const refused = await handovers.start(id, "codex");
  assert.match(refused.ok ? "" : refused.detail.text, /the folder \/home\/mara\/argo is gone/u);
});

test("Nothing starts on another branch, without a folder, or with a deleted document", async (t) => {
  const { handovers, project } = await place(t);
  const { id, file } = await made(handovers);
  project.branch = "main";
  const refused = await handovers.start(id, "codex");
  assert.deepEqual(
    [refused.ok, refused.ok ? "" : refused.detail],
    [
      false,
      "the work is on the branch login, and /home/mara/argo has main checked out; check out the first, then start again",
    ],
  );
  assert.equal((await listed(handovers))[0]?.toProgram, null);
  rmSync(file);
  const gone = await handovers.open(id);
  assert.match(gone.ok ? "" : gone.detail.text, /the document of the handover h00000001 is gone from /u);
  for (const other of ["h12345678", "../../etc/passwd", ""])
    assert.equal((await handovers.open(other)).ok, false);
  const nowhere = await place(t, {
    workOf: () =>
      Promise.resolve({
        folder: null,
        packet: packetOf({ folder: null }),
        packetText: "",
        summary: null,
        carried: null,
      }),
  });
  const homeless = await made(nowhere.handovers);
  assert.equal(homeless.folder, null);
  const unstarted = await nowhere.handovers.start(homeless.id, "codex");
  assert.match(unstarted.ok ? "" : unstarted.detail.text, /the folder of the session is not known/u);
});

test("A document unused for a week is ignored, and one from last month is forgotten", async (t) => {
  const { handovers, create, time } = await place(t);
  const { id } = await made(handovers);
  time.now += 8 * dayMs;
  assert.equal((await listed(handovers))[0]?.state, "ignored");
  await handovers.noteSession({ id: "s-2", program: "codex", prompt: prompt(id) });
  assert.equal((await listed(handovers))[0]?.state, "taken");
  time.now += 30 * dayMs;
  assert.deepEqual(await listed(create()), []);
});

test("Without a ledger, making a document fails with a reason; with one, it works", async (t) => {
  let isThere = false;
  const ledger = await open(t, path.join(scratchFolder(t), "ledger"));
  const missing = fail("no_ledger", plainSentence("not yet"));
  const { handovers, problems } = await place(t, {
    ledger: {
      append: (entries) => ledger.append(entries),
      ask: (name, params) => Promise.resolve(isThere ? succeed(ledger.ask(name, params)) : missing),
    },
  });
  const refused = await handovers.make("s-1");
  assert.equal(refused.ok ? "" : refused.detail, "not yet");
  await handovers.noteSession({ id: "s-2", program: "codex", prompt: prompt("h00000001") });
  assert.match(problems.join(), /Who took the handover h00000001 is not recorded: not yet/u);
  isThere = true;
  assert.ok((await handovers.make("s-1")).ok);
});
