import { plainSentence } from "../../../src/engine/base/language.ts";
import { clockTime } from "../../../src/extension/editor/describe-editor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { briefSessions } from "../../../src/extension/sessions/brief.ts";
import { measured, session, subagent, t, unknown } from "../support/session.ts";

test("each session has a line, with what is estimated and unknown marked", () => {
  const rows = briefSessions(
    [
      session({ subagents: [subagent(), subagent({ id: "a2", running: false })] }),
      session({
        title: "a|b",
        window: { value: 200_000, provenance: "estimated", source: plainSentence("") },
        turnsLeft: unknown,
      }),
      session({
        title: null,
        window: unknown,
        percent: null,
        occupancy: measured(83_000),
        headroom: unknown,
        turnsLeft: unknown,
        nextCall: unknown,
        cost: unknown,
      }),
    ],
    { t, namesAgents: false },
  ).split("\n");
  assert.deepEqual(
    rows.slice(2).map((row) =>
      row
        .replaceAll("&ensp;", "")
        .replaceAll("\\", "")
        .replaceAll(/\[(.*)\]\(command:purser.openLedger\?.*?\)/gu, "$1"),
    ),
    [
      "| Find the hour | 38% | ~14 turns | ~$0.043 | ~$1.92 | 1 |",
      "| a|b | ~38% | ~91k tokens | ~$0.043 | ~$1.92 | 0 |",
      `| harbor · main · ${clockTime(session().lastActivity ?? 0)} | 83k | – | – | – | 0 |`,
    ],
  );
});
