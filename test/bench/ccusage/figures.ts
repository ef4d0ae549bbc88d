import { responseRow as row, otherSession, session } from "./claude-rows.ts";
import { linesOf, madeUp, type CompareCase } from "./case.ts";

const program = "claude";
const main = `projects/-home-dev-harbor/${session}.jsonl`;
const opus = "claude-opus-4-6";
const million = { input: 1_000_000, output: 100_000 };
const searched = { input: 100_000, output: 0 };
const asked = { input: 2, output: 500, cacheCreation: 8000, cacheRead: 220_000 };
const advice = { input: 100_000, output: 6000 };

const tierless = "its prices do not depend on the service tier";
const placeless = "its prices do not depend on the place";
const asItIs = "it shows the files as they are now";

function server(searches: number): object {
  return { server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } };
}

function iteration(type: string, input: number, output: number, [written, read]: readonly [number, number]) {
  return {
    type,
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
  };
}

/** What changes a price besides the tokens and their model. */
export const pricedCases: readonly CompareCase[] = [
  madeUp({
    program,
    name: "one response in fast mode, and one at the usual speed",
    sent: [million, million],
    usd: 52.5,
    files: {
      [main]: linesOf([
        row({ id: "a", used: million, model: opus, more: { speed: "fast" } }),
        row({ id: "b", used: million, model: opus, more: { speed: "standard" }, second: 1 }),
      ]),
    },
  }),
  madeUp({
    program,
    name: "100 searches of the web",
    sent: [searched],
    usd: 1.3,
    files: { [main]: linesOf([row({ id: "a", used: searched, more: server(100) })]) },
    why: "it has no price for searches",
  }),
  madeUp({
    program,
    name: "computed in the United States only",
    sent: [million],
    usd: 8.25,
    files: { [main]: linesOf([row({ id: "a", used: million, model: opus, more: { inference_geo: "us" } })]) },
    why: placeless,
    codeburn: placeless,
  }),
  madeUp({
    program,
    name: "sent as a batch",
    sent: [million],
    usd: 3.75,
    files: {
      [main]: linesOf([row({ id: "a", used: million, model: opus, more: { service_tier: "batch" } })]),
    },
    why: tierless,
    codeburn: tierless,
  }),
  madeUp({
    program,
    name: "an advisor of another model answered within a response",
    sent: [asked, advice],
    usd: 0.753506,
    files: {
      [main]: linesOf([
        row({
          id: "a",
          used: asked,
          more: {
            iterations: [
              iteration("message", 1, 50, [7000, 110_000]),
              { ...iteration("advisor_message", 100_000, 6000, [0, 0]), model: "claude-opus-4-7" },
              iteration("message", 1, 450, [1000, 110_000]),
            ],
          },
        }),
      ]),
    },
    codeburn: "it does not read the advisor's own call",
  }),
];

const first = { input: 101, output: 310, cacheCreation: 1009, cacheRead: 20_011 };
const second = { input: 7, output: 420, cacheCreation: 311, cacheRead: 21_020 };
const third = { input: 11, output: 130, cacheCreation: 401, cacheRead: 21_331 };
const boundary = {
  type: "system",
  subtype: "compact_boundary",
  uuid: "compacted",
  sessionId: session,
  timestamp: "2026-11-02T09:00:05.000Z",
  compactMetadata: { trigger: "manual", preTokens: 21_758 },
};

/** Files that the agent replaces while it works. */
export const rewrittenCases: readonly CompareCase[] = [
  madeUp({
    program,
    name: "a compaction rewrote the transcript without the responses before it",
    sent: [first, second, third],
    earlier: {
      [main]: linesOf([row({ id: "a", used: first }), row({ id: "b", used: second, second: 1 })]),
    },
    files: {
      [main]: linesOf([
        row({ id: "b", used: second, second: 1 }),
        boundary,
        row({ id: "c", used: third, second: 9 }),
      ]),
    },
    why: asItIs,
    codeburn: asItIs,
  }),
  madeUp({
    program,
    name: "the agent deleted an old transcript",
    sent: [first, second],
    earlier: { [main]: linesOf([row({ id: "a", used: first })]) },
    files: {
      [`projects/-home-dev-harbor/${otherSession}.jsonl`]: linesOf([
        row({ id: "b", used: second, of: otherSession, second: 5 }),
      ]),
    },
    why: asItIs,
    codeburn: asItIs,
  }),
];

function atPlace(index: number, place: string): readonly [string, string] {
  const id = `5e55101e-0000-4000-8000-00000000010${index}`;
  const rows = [row({ id: `p${index}`, used: first, of: id, second: index, cwd: `{home}/${place}` })];
  return [`projects/{home}-${place.replaceAll("/", "-")}/${id}.jsonl`, linesOf(rows)];
}

/** One repository in several places. */
export const repositoryCases: readonly CompareCase[] = [
  ["a subfolder", "harbor/src"],
  ["a worktree", "harbor-fix"],
  ["a link", "link"],
].map(([name, place = ""]) =>
  madeUp({
    program,
    name: `one repository, seen as its root and as ${name}`,
    sent: [first, first],
    projects: 1,
    why: "each folder that an agent began in is a project",
    ...(place === "harbor-fix"
      ? {}
      : { codeburn: "a folder below the repository, or a link to it, is a project" }),
    files: Object.fromEntries(["harbor", place].map((each, index) => atPlace(index, each))),
  }),
);
