import initSqlJs from "sql.js";
import { began, ended, said, used, vector } from "../../engine/transcripts/copilot/event-rows.ts";
import { linesOf, madeUp, type CompareCase } from "./case.ts";

const events = "session-state/s1/events.jsonl";
const model = "gpt-5.4";
const first = vector(100, 40, 10, 30);
const second = vector(60, 10, 15);
const both = vector(160, 50, 25, 30);
const sentFirst = { input: 30, output: 10, cacheCreation: 30, cacheRead: 40 };
const sentSecond = { input: 50, output: 15, cacheRead: 10 };
const program = "copilot";

/** The database of all sessions, with one row per response. */
const store = await (async () => {
  const { Database } = await initSqlJs();
  const db = new Database();
  db.run(`CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY, session_id TEXT, model TEXT,
    input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, created_at TEXT);
    INSERT INTO assistant_usage_events VALUES
    (1, 's1', '${model}', 100, 10, 40, 30, '2026-11-02 09:00:01'), (2, 's1', '${model}', 60, 15, 10, 0, '2026-11-02 09:00:02')`);
  return db.export();
})();

const outputOnly = "it reads the output of each message, and neither totals nor the store";

export const copilotCases: readonly CompareCase[] = [
  madeUp({
    program,
    name: "a session ends",
    sent: [sentFirst],
    files: { [events]: linesOf([began, ended(5, { [model]: first })]) },
    codeburn: outputOnly,
  }),
  madeUp({
    program,
    name: "a killed append left a stub before the only totals",
    sent: [sentFirst],
    files: {
      [events]: `${linesOf([began])}${linesOf([said(1, 10)]).slice(0, 40)}${linesOf([ended(5, { [model]: first })])}`,
    },
    why: "it drops the whole line",
    codeburn: outputOnly,
  }),
  madeUp({
    program,
    name: "a session is resumed: its totals grow",
    sent: [sentFirst, sentSecond],
    files: {
      [events]: linesOf([
        began,
        said(1, 10),
        ended(5, { [model]: first }),
        said(6, 15),
        ended(9, { [model]: both }, 2),
      ]),
    },
    codeburn: outputOnly,
  }),
  madeUp({
    program,
    name: "a session is resumed: its totals restart",
    sent: [sentFirst, sentSecond],
    files: {
      [events]: linesOf([
        began,
        said(1, 10),
        ended(5, { [model]: first }),
        said(6, 15),
        ended(9, { [model]: second }),
      ]),
    },
    why: "it keeps one total per session and model, and treats it as the whole session's",
    codeburn: outputOnly,
  }),
  madeUp({
    program,
    name: "a resumed session ends without another response",
    sent: [sentFirst],
    files: { [events]: linesOf([began, ended(5, { [model]: first }), ended(9, { [model]: first })]) },
    codeburn: outputOnly,
  }),
  madeUp({
    program,
    name: "a second model joins",
    sent: [sentFirst, { input: 9, output: 1 }],
    files: {
      [events]: linesOf([
        began,
        ended(5, { [model]: first }),
        ended(9, { [model]: first, "claude-sonnet-4.6": vector(9, 0, 1) }, 2),
      ]),
    },
    codeburn: outputOnly,
  }),
  madeUp({
    program,
    name: "each response is reported, and the totals at the end",
    sent: [sentFirst, sentSecond],
    files: {
      [events]: linesOf([began, used(1, 1, first), used(2, 2, second), ended(5, { [model]: both }, 2)]),
    },
    codeburn: outputOnly,
  }),
  madeUp({
    program,
    name: "the process was killed: each response is reported, no total is",
    sent: [sentFirst, sentSecond],
    files: { [events]: linesOf([began, used(1, 1, first), used(2, 2, second)]) },
    why: "it reads the totals that a process writes when it ends, not the events of each response",
    codeburn: outputOnly,
  }),
  madeUp({
    program,
    name: "the process was killed: only the store has the usage",
    sent: [sentFirst, sentSecond],
    files: { [events]: linesOf([began, said(1, 10), said(2, 15)]), "session-store.db": store },
    why: "it does not read the store",
    codeburn: outputOnly,
  }),
];

/** A response as an OpenTelemetry span: written only where the user has set `COPILOT_OTEL_ENABLED` and a file. */
const span = {
  type: "span",
  traceId: "t1",
  spanId: "s1",
  name: `chat ${model}`,
  startTime: [1_793_610_000, 0],
  endTime: [1_793_610_001, 0],
  attributes: {
    "gen_ai.operation.name": "chat",
    "gen_ai.response.model": model,
    "gen_ai.response.id": "r1",
    "gen_ai.conversation.id": "s1",
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 10,
    "gen_ai.usage.cache_read.input_tokens": 40,
  },
};

/** Cases that purser itself does not count as sent, and why. */
export const copilotLimits: readonly CompareCase[] = [
  madeUp({
    program,
    name: "the process was killed: only an OpenTelemetry file has the usage",
    sent: [{ input: 60, output: 10, cacheRead: 40 }],
    files: { [events]: linesOf([began, said(1, 10)]), "otel/spans.jsonl": linesOf([span]) },
    limit: "purser does not read OpenTelemetry files, which are written wherever the user configures them",
  }),
];
