import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { messageLine, messageQuestion, restOf } from "../../../src/extension/messages/message-questions.ts";
import { t } from "../support/session.ts";

const question = {
  id: "toolu_1",
  sessionId: "s",
  cwd: "/home/dev/harbor",
  from: "frontend",
  to: "backend",
  text: "Which port does the API have?",
  chars: 29,
  at: 0,
  answerUntil: 1,
};

describe("a message between agents", () => {
  it("the question is one line", () => {
    assert.equal(
      messageQuestion(question, t),
      "[frontend → backend] “Which port does the API have?” — approve?",
    );
  });

  it("shows how much of the text is missing", () => {
    assert.equal(restOf(question, t), "");
    assert.equal(restOf({ text: "abc", chars: 12_003 }, t), "12,000 more characters are not shown.");
  });

  it("cannot pretend to be from another agent, be a link, or move the cursor", () => {
    const names = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom("a → b] “ok” [c", "[x](command:y)", "\u202Eabc"),
    );
    fc.assert(
      fc.property(names, names, names, (from, to, text) => {
        const line = messageLine({ from, to, text });
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]|\]\(/u);
        const [head = ""] = line.split("] “");
        assert.equal(head.split("→").length, 2);
        assert.equal(head.split("[").length, 2);
      }),
    );
  });
});
