import assert from "node:assert/strict";
import test from "node:test";
import { renderPacket } from "../../../../src/engine/continuity/packet/render.ts";
import { open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { PastSession, packetOf } from "../past-session.ts";
import { plantedSecrets, visible, type PlantedSecret } from "../planted-secrets.ts";
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

test("There are secrets of forty kinds and more", () => {
  assert.ok(new Set(plantedSecrets.map(({ kind }) => kind)).size >= 40);
  assert.equal(new Set(plantedSecrets.map(({ line }) => line)).size, plantedSecrets.length);
});

for (const [at, planted] of plantedSecrets.entries())
  test(`No packet and no table has a secret: ${planted.kind}`, async (t) => {
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
    for (const text of [tablesOf(ledger), ...packets]) {
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
