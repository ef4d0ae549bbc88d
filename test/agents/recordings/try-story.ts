import { calls, says, usageOf } from "../stand-in/reply.ts";
import type { Reply } from "../stand-in/reply.ts";
import type { Turn } from "../agent.ts";
import { recordedWorkspace } from "./recording.ts";

/** One response of the story: the occupancy of its request and its output, both in tokens, and its tool call. */
type Step = readonly [
  occupancy: number,
  output: number,
  tool?: string,
  input?: Readonly<Record<string, unknown>>,
];

const read = (file: string) => ["Read", { file_path: `${recordedWorkspace}/${file}` }] as const;
const grep = (pattern: string) => ["Grep", { pattern, output_mode: "content" }] as const;
const check = ["Bash", { command: "node check.mjs", description: "Run the checks" }] as const;
const edit = (file: string, from: string, to: string) =>
  ["Edit", { file_path: `${recordedWorkspace}/${file}`, old_string: from, new_string: to }] as const;

const helper = {
  description: "Check the tide callers",
  prompt: "List every caller of the tide table, and say which of them assume summer time.",
  subagent_type: "general-purpose",
  run_in_background: false,
};

/** The harbor project that the recorded session works on; its files are written before the first turn. */
export const tryProject: Readonly<Record<string, string>> = {
  "check.mjs": 'console.log("14 checks passed");\n',
  "README.md": "# Harbor\n\nTide tables and berth bookings for a small harbor.\n",
  "src/tide.ts": "export const winterShift = 0;\nexport const highTides = [412, 1157];\n",
  "src/tide.test.ts": "// Summer tides.\n",
  "src/berth.ts": "export const berths = 12;\nexport const ledger = 'paper';\n",
  "src/booking.ts": "export const bookings = new Map();\n",
  "src/ledger.ts": "export const entries = [];\nexport const period = 'year';\n",
  "src/report.ts": "export const title = 'Yearly report';\n",
};

/** Four prompts in one session: it fills up, is compacted inside the third, and fills up again. */
const story: readonly (readonly [prompt: string, steps: readonly Step[]])[] = [
  [
    "The tide table is an hour off in winter. Find out why.",
    [
      [18_240, 310, ...grep("winterShift")],
      [21_130, 264, ...read("src/tide.ts")],
      [25_870, 388, ...read("src/tide.test.ts")],
      [30_020, 291, ...check],
      [33_410, 742],
    ],
  ],
  [
    "Fix it, and cover it with a test.",
    [
      [37_150, 655, ...edit("src/tide.ts", "winterShift = 0", "winterShift = 60")],
      [39_480, 812, ...edit("src/tide.test.ts", "// Summer tides.", "// Summer and winter tides.")],
      [42_060, 233, ...check],
      [45_790, 421, "Agent", helper],
      [48_640, 305, ...read("src/berth.ts")],
      [54_180, 377, ...grep("highTides")],
      [57_020, 618],
    ],
  ],
  [
    "Now move the berth bookings from paper to the new ledger, and let it report by month.",
    [
      [61_340, 402, ...grep("ledger")],
      [64_870, 288, ...read("src/ledger.ts")],
      [79_960, 531, ...read("src/booking.ts")],
      [84_310, 947, ...edit("src/berth.ts", "'paper'", "'book'")],
      [86_820, 266, ...check],
      [90_540, 349, ...read("src/report.ts")],
      [95_730, 873, ...edit("src/report.ts", "Yearly", "Monthly")],
      [98_210, 254, ...check],
      [102_660, 312, ...grep("period")],
      [105_980, 418, ...read("src/ledger.ts")],
      [111_450, 1_064, ...edit("src/ledger.ts", "'year'", "'month'")],
      [114_270, 247, ...check],
      [119_830, 366, ...read("src/booking.ts")],
      [125_640, 392, ...grep("bookings")],
      [129_020, 335, ...read("src/berth.ts")],
      [134_710, 981, ...edit("src/berth.ts", "berths = 12", "berths = 14")],
      [137_590, 259, ...check],
      [142_980, 417, ...read("src/report.ts")],
      [148_330, 344, ...grep("entries")],
      [152_460, 386, ...read("src/ledger.ts")],
      [158_210, 1_120, ...edit("src/ledger.ts", "entries = []", "entries = [0]")],
      [161_740, 268, ...check],
      [166_390, 912, ...read("src/booking.ts")],
      // Here the agent compacts on its own: input and output together exceed its limit of 167,000.
      [28_150, 433, ...read("src/ledger.ts")],
      [43_020, 397, ...read("src/report.ts")],
      [57_360, 421, ...read("src/booking.ts")],
      [70_840, 364, ...grep("month")],
      [83_270, 958, ...edit("src/report.ts", "Monthly", "Monthly and yearly")],
      [88_540, 251, ...check],
      [93_610, 806],
    ],
  ],
  [
    "Good. Say so in the README.",
    [
      [98_320, 302, ...read("README.md")],
      [103_190, 743, ...edit("README.md", "berth bookings", "berth bookings by month")],
      [107_880, 249, ...check],
      [112_930, 318, ...grep("yearly")],
      [117_840, 295, ...read("src/report.ts")],
      [122_460, 684],
    ],
  ],
];

const subagentSteps: readonly Step[] = [
  [11_820, 287, ...grep("tide")],
  [15_140, 305, ...read("src/tide.ts")],
  [20_470, 268, ...read("src/booking.ts")],
  [24_930, 512],
];

/** The turns of the story for an agent in this `workspace`. */
export function tryTurns(workspace: string): Omit<Turn, "resume">[] {
  let before = 0;
  return story.map(([prompt, steps]) => {
    const main = steps.map((step) => {
      const reply = replyOf(step, before, workspace);
      before = step[0];
      return reply;
    });
    return {
      prompt,
      lines: {
        main,
        ...(main.some(isAgentCall) ? { subagent: subagentReplies(workspace) } : {}),
        ...(steps.some(([occupancy]) => occupancy > 165_000) ? { summary: [summary] } : {}),
      },
    };
  });
}

const summary = says("<summary>The tide is fixed; the ledger reports by month.</summary>", {
  ...usageOf(9, 1_480, 166_390, 2_240),
});

function subagentReplies(workspace: string): Reply[] {
  return subagentSteps.map((step, index) => replyOf(step, subagentSteps[index - 1]?.[0] ?? 0, workspace));
}

/**
 * Earlier content is read from the cache, new content is written to it; after a compaction only the system prompt and
 * the tools are still cached.
 */
function replyOf([occupancy, output, tool, input]: Step, before: number, workspace: string): Reply {
  const uncached = 3 + (occupancy % 7);
  const cacheRead = before < occupancy ? before : 16_870;
  const usage = usageOf(uncached, occupancy - cacheRead - uncached, cacheRead, output);
  if (tool === undefined || input === undefined) return says("Done, and the checks pass.", usage);
  const placed = Object.entries(input).map(([key, value]): [string, unknown] => [
    key,
    typeof value === "string" ? value.replace(recordedWorkspace, workspace) : value,
  ]);
  return calls(tool, Object.fromEntries(placed), usage);
}

function isAgentCall(reply: Reply): boolean {
  return (
    reply.kind === "message" &&
    reply.blocks.some((block) => block.type === "tool_use" && block.name === "Agent")
  );
}
