import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { scratchFolder } from "../../support/scratch.ts";
import { folder, WasteSession } from "./session.ts";

const cart = `${folder}/src/cart.ts`;
const text = Array.from({ length: 100 }, (_, at) => `line ${at + 1} and so on\n`).join("");
const isShort = (answer: string) => answer.includes("updatedToolOutput");

function sessionWith(): WasteSession {
  const session = new WasteSession();
  session.files.set(cart, text);
  return session;
}

/** A transcript of calls, each at the end of the one before, or of another row that is named. */
function transcriptWith(t: TestContext, session: WasteSession) {
  const file = path.join(scratchFolder(t), "transcript.jsonl");
  session.transcript = file;
  let last: string | null = null;
  const add = (row: object) => appendFileSync(file, `${JSON.stringify(row)}\n`);
  return {
    add,
    call(use: string, after: string | null = last): void {
      const content = [{ type: "tool_use", id: use, name: "Read" }];
      add({ type: "assistant", uuid: use, parentUuid: after, message: { content } });
      last = use;
    },
  };
}

test("after a prompt, a resume and a restart of the service, the transcript shows which texts remain", async (t) => {
  for (const happens of [
    (session: WasteSession) => session.tell("UserPromptSubmit", { prompt: "Go on." }),
    (session: WasteSession) => session.tell("SessionStart", { source: "resume" }),
    async (session: WasteSession) => {
      session.restart();
      await Promise.resolve();
    },
  ]) {
    const session = sessionWith();
    const transcript = transcriptWith(t, session);
    const read = async (use: string, after?: string | null) => {
      transcript.call(use, after);
      return isShort(await session.read(cart, {}, { use }));
    };
    assert.equal(await read("first"), false);
    await happens(session);
    assert.equal(await read("second"), true);
    assert.equal(await read("third"), false, "once more gives it in full");
    await happens(session);
    assert.equal(await read("other", null), false, "on a branch that has not read it");
    await happens(session);
    assert.equal(await read("next"), true);
    await happens(session);
    transcript.add({ type: "system", subtype: "compact_boundary", uuid: "c", parentUuid: null });
    assert.equal(await read("last"), false, "after a compaction that no hook told of");
  }
});

test("after a restart of the service no text is certain, as a compaction may have happened", async () => {
  for (const program of ["claude-code", "codex"] as const) {
    const session = new WasteSession("on", program);
    session.files.set(cart, text);
    await session.run("cat src/cart.ts", { stdout: text });
    session.restart();
    assert.equal((await session.run("cat src/cart.ts", { stdout: text })).after, "");
  }
  const session = sessionWith();
  await session.read(cart, {}, { agent: "a" });
  session.restart();
  assert.equal(await session.read(cart, {}, { agent: "a" }), "");
});
