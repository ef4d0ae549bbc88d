import assert from "node:assert/strict";
import test from "node:test";
import {
  chosenText,
  keepText,
  lostText,
} from "../../../../src/engine/continuity/compaction/describe-compaction.ts";
import { diffEntry, itemsOf, compareWithSummary } from "../../../../src/engine/continuity/compaction/lost.ts";
import { writeHandover } from "../../../../src/engine/continuity/handover/document.ts";
import { improvementOf } from "../../../../src/engine/continuity/handover/improvement.ts";
import { knownHere } from "../../../../src/engine/continuity/learn/advice-for.ts";
import { scorecardEntryOf, scorecardOf } from "../../../../src/engine/continuity/scorecard.ts";
import { renderPacket } from "../../../../src/engine/continuity/packet/render.ts";
import type { SessionFigures } from "../../../../src/engine/ledger/continuity-questions.ts";
import { open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { PastSession, packetOf, storyOf } from "../past-session.ts";
import { plantedSecrets, visible, type PlantedSecret } from "../../support/secrets/planted.ts";
import { fileOf, learnFrom, storeOf, tablesOf } from "./world.ts";

/** A session in which a secret is everywhere: in prompts, commands, outputs, errors, edits, messages and names. */
function leaking({ line }: PlantedSecret, number: number): PastSession {
  const session = new PastSession(`leak-${number}`, 1_800_000_000_000 + number * 3_600_000);
  const oneLine = line.replaceAll("\n", " ");
  session.prompt(`We must always use ${line} for this. Never change it.`);
  session.reply(`I will use ${line}.`);
  session.call("TodoWrite", { todos: [{ content: `Use ${line}`, status: "pending" }] });
  session.run(oneLine, `Error: refused ${line}`, true);
  session.run(oneLine, `Error: refused ${line}`, true);
  session.run(`echo ${oneLine}`, `fatal: not allowed: ${line}`, true);
  session.edit("src/basket-total.ts", [line, `${line} `]);
  session.edit("src/basket-total.ts", [`${line} `, line]);
  session.run(`npm install --flag ${oneLine}`);
  session.run(`echo ${oneLine}`, "done");
  session.run("npm test", `not ok 1 ${line}`, true);
  session.edit("src/basket-total.ts", ["a", "b"]);
  session.run("npm test", "ok");
  session.run(`git commit -m "Use ${oneLine.replaceAll('"', "'")}"`);
  return session;
}

const noFigures: SessionFigures = {
  id: "s",
  program: "claude-code",
  project: null,
  prompts: 1,
  completed: 1,
  processing: 0,
  sent: 0,
  cacheRead: 0,
  usd: null,
  unpriced: 0,
  reads: 0,
  rereads: 0,
  judgedCalls: 0,
  failedCalls: 0,
  compactions: 0,
  loops: null,
  edited: null,
  verified: null,
  savedBytes: 0,
  handedTokens: null,
  packetTokens: null,
};

/** Everything else that continuity makes of a session for a person, an agent or the ledger. */
function madeOf(session: PastSession, { line }: PlantedSecret): string[] {
  const summary = `Summary:\n1. The user wants ${line}\n2. Run ${line}`;
  session.compact(summary);
  const story = storyOf(session.events);
  const packet = packetOf(session);
  const items = itemsOf(packet);
  const { kept, lost } = compareWithSummary(items, "Something else.");
  const at = 1_800_000_000_000;
  const entry = diffEntry({
    sessionId: "s",
    program: "claude-code",
    trigger: "auto",
    at,
    kept,
    lost,
    told: lost,
  });
  const oneLine = line.replaceAll("\n", " ");
  const document = writeHandover({
    id: "h00000001",
    agent: "Claude Code",
    packet,
    packetText: renderPacket(packet, { tokens: 100_000 }).text,
    summary: story.summary,
    folder: "/home/ann/shop",
    git: {
      branch: "main",
      commit: "1".repeat(40),
      subject: oneLine,
      changes: [{ how: "untracked", path: oneLine }],
      fingerprint: "",
    },
    madeAt: at,
    carried: 121_000,
  });
  assert.match(document.text, /## Summary by Claude Code itself\n[^]*> /u);
  assert.ok(lost.length > 0);
  const card = scorecardOf({ own: noFigures, others: [], charactersPerToken: [] }, packet);
  assert.ok(card.done.length + card.open.length > 0);
  const improvement = improvementOf(`The record has ${line}, and \`${oneLine}\`.`, {
    document: document.text,
    model: "claude-haiku-4-5",
    tokens: 1,
  });
  assert.ok(improvement !== null);
  const texts = [keepText(items)?.text, lostText(lost)?.text, chosenText(lost)?.text];
  return [
    document.text,
    JSON.stringify(scorecardEntryOf(card, at)),
    JSON.stringify(improvement),
    JSON.stringify(entry),
    ...texts.flatMap((text) => text ?? []),
  ];
}

test("There are secrets of forty kinds and more", () => {
  assert.ok(new Set(plantedSecrets.map(({ kind }) => kind)).size >= 40);
  assert.equal(new Set(plantedSecrets.map(({ line }) => line)).size, plantedSecrets.length);
});

for (const [at, planted] of plantedSecrets.entries())
  test(`No packet, table, document, comparison or advice contains a secret: ${planted.kind}`, async (t) => {
    const folder = scratchFolder(t);
    const ledger = await open(t, folder);
    const sessions = [1, 2].map((n) => leaking(planted, 10 * at + n));
    const files = sessions.map((session, n) => fileOf(folder, session, { name: `s${n}`, mtimeMs: n }));
    const done = await learnFrom({ files, store: storeOf(ledger) });
    assert.ok(done.ok);
    const packets = sessions.map((session) => {
      const packet = packetOf(session);
      return `${JSON.stringify(packet)}\n${renderPacket(packet, { tokens: 100_000 }).text}`;
    });
    const known = JSON.stringify(knownHere(ledger.ask("learnedBook", null)));
    const made = sessions.flatMap((session) => madeOf(session, planted));
    for (const text of [tablesOf(ledger), known, ...packets, ...made]) {
      const plain = text.replaceAll("\\\\", "\\");
      assert.ok(!plain.includes(visible(planted)), around(plain, visible(planted)));
      assert.ok(!plain.includes(planted.secret), around(plain, planted.secret));
    }
    assert.ok(ledger.ask("learnedBook", null).workingSet.length > 0);
  });

function around(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return at < 0 ? "" : text.slice(Math.max(0, at - 120), at + secret.length + 40);
}
