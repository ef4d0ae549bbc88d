import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OneQuestion, type Question } from "../../../src/extension/editor/one-question.ts";

/** Questions as the editor shows them: each has a tab and a persistent notification. */
function editor() {
  const questions = new OneQuestion();
  const shown: string[] = [];
  const notifications = new Map<string, Question>();
  const ask = (name: string) =>
    questions.ask({
      show: (question) => {
        shown.push(name);
        notifications.set(name, question);
        return Promise.resolve();
      },
      close: () => {
        assert.equal(shown.at(-1), name, "another's tab is not closed");
        shown.pop();
        return Promise.resolve();
      },
    });
  const until = async (name: string) => {
    while (!notifications.has(name)) await new Promise((resolve) => setImmediate(resolve));
  };
  return { questions, shown, notifications, ask, until };
}

describe("one question at a time", () => {
  it("is answered once, by its own notification or by the buttons", async () => {
    const { questions, shown, notifications, ask, until } = editor();
    const first = ask("install");
    await until("install");
    assert.equal(notifications.get("install")?.answer(true), true);
    assert.equal(await first, true);
    const second = ask("uninstall");
    await until("uninstall");
    questions.answer(true);
    assert.equal(await second, true);
    assert.deepEqual(shown, []);
  });

  it("is not answered by the notification of an earlier one", async () => {
    const { questions, notifications, ask, until } = editor();
    const install = ask("install");
    await until("install");
    questions.answer(false);
    assert.equal(await install, false);
    const uninstall = ask("uninstall");
    await until("uninstall");
    assert.equal(notifications.get("install")?.answer(true), false, "it reports that it is over");
    notifications.get("uninstall")?.answer(false);
    assert.equal(await uninstall, false);
  });

  it("a newer question closes an open one, and gets its own answer", async () => {
    const { shown, notifications, ask, until } = editor();
    const first = ask("first");
    await until("first");
    const [second, third] = [ask("second"), ask("third")];
    await until("third");
    assert.deepEqual([await first, await second], [false, false]);
    assert.deepEqual([...notifications.keys()], ["first", "third"]);
    assert.deepEqual(shown, ["third"]);
    notifications.get("third")?.answer(true);
    assert.equal(await third, true);
  });

  it("a question that cannot be shown counts as no, and the next one is asked", async () => {
    const { ask, until, notifications, questions } = editor();
    const failed = questions.ask({
      show: () => Promise.reject(new Error("no editor")),
      close: () => Promise.resolve(),
    });
    await assert.rejects(failed, /no editor/u);
    const next = ask("next");
    await until("next");
    notifications.get("next")?.answer(true);
    assert.equal(await next, true);
  });
});
