import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { problemSentence, wrongThings } from "../../../src/extension/sessions/describe-problem.ts";
import { t } from "../support/session.ts";

it("names the kind of a problem: a setting, a settings file, or a transcript", () => {
  const wrong = wrongThings({
    sessions: [],
    roots: [],
    files: 1,
    complete: true,
    problems: [{ path: "/claude/p/s.jsonl", reason: plainSentence("denied") }],
    settingProblems: [
      { path: "purser.models odd", reason: plainSentence("window: too small") },
      { path: "/home/nana/.purser/settings.json", reason: plainSentence("wrapUpAt cannot be 130") },
    ],
    ledgerProblem: plainSentence(
      "the ledger cannot be opened: /home/nana/.purser/ledger.sqlite: EACCES; allow yourself",
    ),
  });
  assert.deepEqual(
    wrong.map((each) => problemSentence(each, t)),
    [
      "The ledger cannot be opened: /home/nana/.purser/ledger.sqlite: EACCES; allow yourself.",
      "The setting purser.models odd is ignored: window: too small.",
      "In /home/nana/.purser/settings.json, a setting is ignored: wrapUpAt cannot be 130.",
      "/claude/p/s.jsonl cannot be read: denied.",
    ],
  );
});
