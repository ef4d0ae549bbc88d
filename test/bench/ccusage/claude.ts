import { responseRow as row, otherSession, session } from "./claude-rows.ts";
import { linesOf, madeUp, type CompareCase } from "./case.ts";

const project = "projects/-home-dev-harbor";
const main = `${project}/${session}.jsonl`;
const other = `${project}/${otherSession}.jsonl`;
const subagents = `${project}/${session}/subagents`;

const first = { input: 101, output: 310, cacheCreation: 1009, cacheRead: 20011 };
const second = { input: 7, output: 420, cacheCreation: 311, cacheRead: 21020 };
const third = { input: 11, output: 130, cacheCreation: 401, cacheRead: 21331 };
const aside = { input: 5, output: 40, cacheRead: 21331 };

/** Usage in a response's first row, before the rest has streamed. */
const begun = { ...first, output: 1 };
const history = [row({ id: "a", used: first }), row({ id: "b", used: second, second: 1 })];
const program = "claude";

/** Problems that users of such readers reported, and what follows from them. */
export const claudeCases: readonly CompareCase[] = [
  madeUp({
    program,
    name: "a response streams into several rows",
    sent: [first],
    files: {
      [main]: linesOf([
        row({ id: "a", used: begun }),
        row({ id: "a", used: { ...first, output: 12 }, second: 1 }),
        row({ id: "a", used: first, second: 2 }),
      ]),
    },
  }),
  madeUp({
    program,
    name: "a gateway provides no request ids",
    sent: [first, second],
    files: {
      [main]: linesOf([
        row({ id: "a", used: begun, request: null }),
        row({ id: "a", used: first, request: null, second: 1 }),
        row({ id: "b", used: second, request: null, second: 2 }),
      ]),
    },
    why: "without a request id, its report by day counts rows of one response with different times as several responses",
  }),
  madeUp({
    program,
    name: "one row of a response lacks the request id",
    sent: [first],
    files: {
      [main]: linesOf([
        row({ id: "a", used: begun, request: null }),
        row({ id: "a", used: first, second: 1 }),
      ]),
    },
    why: "it never treats a row with a request id and one without as the same response",
  }),
  madeUp({
    program,
    name: "a fork's file repeats its history",
    sent: [first, second, third],
    files: {
      [main]: linesOf(history),
      [other]: linesOf([
        row({ id: "a", used: first, of: otherSession }),
        row({ id: "b", used: second, of: otherSession, second: 1 }),
        row({ id: "c", used: third, of: otherSession, second: 9 }),
      ]),
    },
  }),
  madeUp({
    program,
    name: "a transcript was copied to another project",
    sent: [first, second],
    files: {
      [main]: linesOf(history),
      [`projects/-home-dev-copy/${session}.jsonl`]: linesOf(history),
    },
  }),
  madeUp({
    program,
    name: "an aside repeats the conversation under other request ids",
    sent: [first, second, aside],
    files: {
      [main]: linesOf(history),
      [`${subagents}/agent-aside.jsonl`]: linesOf([
        row({ id: "a", used: first, request: "req_again1", agentId: "aside" }),
        row({ id: "b", used: second, request: "req_again2", second: 1, agentId: "aside" }),
        row({ id: "c", used: aside, second: 6, agentId: "aside" }),
      ]),
    },
  }),
  madeUp({
    program,
    name: "the main file reports a subagent's progress before its response has ended",
    sent: [first, second],
    files: {
      [main]: linesOf([
        row({ id: "a", used: first }),
        {
          type: "progress",
          uuid: "p",
          sessionId: session,
          timestamp: "2026-11-02T09:00:03.000Z",
          data: {
            type: "agent_progress",
            agentId: "a1",
            message: row({ id: "b", used: { ...second, output: 3 }, second: 3 }),
          },
        },
      ]),
      [`${subagents}/agent-a1.jsonl`]: linesOf([row({ id: "b", used: second, second: 3, agentId: "a1" })]),
    },
    why: "it prefers the figure of the progress row, which is earlier, to the subagent's own",
  }),
  madeUp({
    program,
    name: "a workflow's subagent",
    sent: [first, second],
    files: {
      [main]: linesOf([row({ id: "a", used: first })]),
      [`${subagents}/workflows/run1/agent-a2.jsonl`]: linesOf([
        row({ id: "b", used: second, second: 1, agentId: "a2" }),
      ]),
    },
  }),
  madeUp({
    program,
    name: "the agent was killed in the middle of a line",
    sent: [first],
    files: { [main]: linesOf([row({ id: "a", used: first })]) + JSON.stringify(history[1]).slice(0, 200) },
  }),
  madeUp({
    program,
    name: "a line of 20 MB between two responses",
    sent: [first, second],
    files: {
      [main]: linesOf([
        row({ id: "a", used: first }),
        { type: "user", uuid: "u", sessionId: session, message: { role: "user", content: "x".repeat(2e7) } },
        row({ id: "b", used: second, second: 1 }),
      ]),
    },
  }),
];

/** Cases that purser itself does not count as sent, and why. */
export const claudeLimits: readonly CompareCase[] = [
  madeUp({
    program,
    name: "a gateway gives every response one message id, and no request ids",
    sent: [first, second],
    files: {
      [main]: linesOf([
        row({ id: "a", used: first, request: null }),
        row({ id: "a", used: second, request: null, second: 5 }),
      ]),
    },
    limit:
      "purser, like ccusage's report by session, counts rows with one message id and no request ids as one response",
  }),
  madeUp({
    program,
    name: "only the first row of a response was written",
    sent: [first],
    files: { [main]: linesOf([row({ id: "a", used: begun })]) },
    limit: "the row has the output from the start of the response, and nothing has the final output",
  }),
];
