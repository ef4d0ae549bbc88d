import { linesOf, madeUp, sumSent, type CompareCase } from "./case.ts";
import { responseRow, session } from "./claude-rows.ts";

const program = "claude";
const main = `projects/-home-dev-harbor/${session}.jsonl`;
const first = { input: 101, output: 310, cacheCreation: 1009, cacheRead: 20011 };
const second = { input: 7, output: 420, cacheCreation: 311, cacheRead: 21020 };
const one = JSON.stringify(responseRow({ id: "a", used: first }));
const two = JSON.stringify(responseRow({ id: "b", used: second, second: 1 }));

function iteration(type: string, used: Parameters<typeof responseRow>[0]["used"], model?: string): object {
  const { input, output, cacheCreation, cacheRead } = sumSent([used]);
  return {
    type,
    ...(model === undefined ? {} : { model }),
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: cacheCreation,
    cache_read_input_tokens: cacheRead,
  };
}

/** The first response, with the calls that the API made for it. */
function withIterations(...iterations: readonly object[]): string {
  return `${one.replace('"usage":{', `"usage":{"iterations":${JSON.stringify(iterations)},`)}\n`;
}

const half = { input: 50, output: 155, cacheCreation: 504, cacheRead: 10_005 };
const rest = { input: 51, output: 155, cacheCreation: 505, cacheRead: 10_006 };
const advice = { input: 159_419, output: 7805 };
const summary = { input: 180_000, output: 3500 };
const torn = "it drops the whole line";

/** Calls that the API makes by itself, and lines that are not one record. */
export const unusualCases: readonly CompareCase[] = [
  madeUp({
    program,
    name: "an advisor answered within a response",
    sent: [first, advice],
    files: {
      [main]: withIterations(
        iteration("message", half),
        iteration("advisor_message", advice, "claude-opus-4-7"),
        iteration("message", rest),
      ),
    },
    codeburn: "it does not read the advisor's own call",
  }),
  madeUp({
    program,
    name: "the API summed up the conversation within a response",
    sent: [first, summary],
    files: { [main]: withIterations(iteration("compaction", summary), iteration("message", first)) },
    why: "it does not read the call that makes the summary",
    codeburn: "it does not read the call that makes the summary",
  }),
  madeUp({
    program,
    name: "server tools ran within a response: its counters are a sum",
    sent: [first],
    files: { [main]: withIterations(iteration("message", half), iteration("message", rest)) },
  }),
  madeUp({
    program,
    name: "a killed append left a stub before a whole row",
    sent: [first, second],
    files: { [main]: `${one}\n{"type":"pr-link","sessionId":"${session}","prNu${two}\n` },
    why: torn,
    codeburn: torn,
  }),
  madeUp({
    program,
    name: "two whole rows share a line",
    sent: [first, second],
    files: { [main]: `${one}${two}\n` },
    why: torn,
    codeburn: torn,
  }),
  madeUp({
    program,
    name: "zero bytes before a whole row",
    sent: [first, second],
    files: { [main]: `${one}\n${"\0".repeat(4096)}${two}\n` },
    why: torn,
    codeburn: torn,
  }),
  madeUp({
    program,
    name: "a byte order mark before the first row",
    sent: [first, second],
    files: { [main]: `\uFEFF${one}\n${two}\n` },
    why: torn,
    codeburn: torn,
  }),
  madeUp({
    program,
    name: "rows have neither a message id nor a request id",
    sent: [first, second],
    files: {
      [main]: linesOf(
        [one, two].map((row) => row.replace(/"requestId":"[^"]*",/u, "").replace(/"id":"msg_[^"]*",/u, "")),
      ),
    },
  }),
];
