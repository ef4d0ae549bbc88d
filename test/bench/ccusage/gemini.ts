import { linesOf, madeUp, type CompareCase } from "./case.ts";

const chats = "tmp/harbor/chats";
const chat = `${chats}/session-2026-11-02T09-00-s1.jsonl`;
const at = "2026-11-02T09:00:00.000Z";
const header = { sessionId: "s1", projectHash: "h", startTime: at, lastUpdated: at, kind: "main" };

/** Token counts of a message: `cached` is part of the input; thoughts and tool prompts add to input and output. */
function tokens(input: number, cached: number, output: number, thoughts = 0, tool = 0): object {
  return { input, output, cached, thoughts, tool, total: input + output + thoughts + tool };
}

function message(id: string, reported: object): object {
  return { id, timestamp: at, type: "gemini", content: "Said.", model: "gemini-3-pro", tokens: reported };
}

const m1 = message("m1", tokens(100, 40, 10));
const m2 = message("m2", tokens(9, 0, 9));
const m3 = message("m3", tokens(5, 0, 5));
const sent1 = { input: 60, output: 10, cacheRead: 40 };
const sent2 = { input: 9, output: 9 };
const sent3 = { input: 5, output: 5 };
const program = "gemini";

export const geminiCases: readonly CompareCase[] = [
  madeUp({
    program,
    name: "two responses",
    sent: [sent1, sent2],
    files: { [chat]: linesOf([header, m1, m2]) },
  }),
  madeUp({
    program,
    name: "a response with thoughts",
    sent: [{ input: 60, output: 15, cacheRead: 40 }],
    files: { [chat]: linesOf([header, message("m1", tokens(100, 40, 10, 5))]) },
    why: "its output excludes thoughts, which are billed as output; only its sum of all tokens includes them",
    codeburn: "its output excludes thoughts, though its price includes them",
  }),
  madeUp({
    program,
    name: "a tool's prompt",
    sent: [{ input: 63, output: 10, cacheRead: 40 }],
    files: { [chat]: linesOf([header, message("m1", tokens(100, 40, 10, 0, 3))]) },
    codeburn: "it does not read the tokens of tools' prompts",
  }),
  madeUp({
    program,
    name: "a message is written again as it grows",
    sent: [sent1, sent2],
    files: { [chat]: linesOf([header, message("m1", tokens(100, 40, 1)), m2, m1]) },
    codeburn: "it keeps the first version of a message",
  }),
  madeUp({
    program,
    name: "a checkpoint repeats the history",
    sent: [sent1, sent2, sent3],
    files: { [chat]: linesOf([header, m1, m2, { $set: { messages: [m1, m2] } }, m3]) },
  }),
  madeUp({
    program,
    name: "a response is rewound: it was used all the same",
    sent: [sent1, sent2],
    files: { [chat]: linesOf([header, m1, { $rewindTo: "m1" }, m2]) },
  }),
  madeUp({
    program,
    name: "an old session continues in the new format, in a file next to it",
    sent: [sent1, sent2, sent3],
    files: {
      [chat.replace(/l$/u, "")]: JSON.stringify({ ...header, messages: [m1, m2] }),
      [chat]: linesOf([header, m1, m2, m3]),
    },
    why: "it counts a message once per file, not once per session",
  }),
  madeUp({
    program,
    name: "a project's folder was copied under another name",
    sent: [sent1, sent2],
    files: {
      [chat]: linesOf([header, m1, m2]),
      [chat.replace("harbor", "0a1b")]: linesOf([header, m1, m2]),
    },
    why: "it counts a message once per file, not once per session",
  }),
  madeUp({
    program,
    name: "a subagent",
    sent: [sent1, sent2],
    files: {
      [chat]: linesOf([header, m1]),
      [`${chats}/s1/a1.jsonl`]: linesOf([{ ...header, sessionId: "a1", kind: "subagent" }, m2]),
    },
    codeburn: "it does not read the files of subagents",
  }),
];
