import type { HandoverView } from "../../../src/engine/continuity/continuity-answers.ts";
import type { LostItem, SessionPage } from "../../../src/engine/ledger/ledger-answers.ts";
import type { SessionMessage, SessionWork } from "../../../src/webview/ledger/ledger-protocol.ts";
import { fresh, hourMs, makeOverview, now, part, randomFrom } from "./fixtures.ts";

/** @param knowsFill whether the transcript states what fills the context */
export function makeSession(id: string, count = 74, knowsFill = true): SessionPage {
  const random = randomFrom(11);
  let occupancy = 21_000;
  const began = now - 2.4 * hourMs;
  const compactions: SessionPage["compactions"] = [];
  const turns = Array.from({ length: count }, (_, index) => {
    const at = began + index * 95_000;
    const added = Math.round(900 + random() ** 4 * 26_000);
    occupancy += added;
    if (occupancy > 158_000) {
      compactions.push({
        at: at - 1000,
        agentId: null,
        trigger: "auto",
        preTokens: occupancy,
        postTokens: 31_000,
      });
      occupancy = 31_000 + added;
    }
    const output = Math.round(120 + random() * 1800);
    const rest = occupancy - 18_200;
    const fill: readonly (readonly [string, number])[] = [
      ["tools", 9_400],
      ["system", 3_900],
      ["memory", 4_900],
      ["result:Read", rest * 0.41],
      ["result:Bash", rest * 0.22],
      ["assistant", rest * 0.12],
      ["tool-calls", rest * 0.13],
      ["user", rest * 0.07],
      ["thinking", rest * 0.05],
    ];
    return {
      messageId: `msg_${index}`,
      at,
      agentId: null,
      model: "claude-sonnet-4-6",
      usage: {
        input: 4,
        output,
        cacheCreation5m: added,
        cacheCreation1h: 0,
        cacheRead: occupancy - added - 4,
      },
      occupancy,
      usd: 0.02 + added / 100_000,
      tools: [["Read"], ["Bash", "Bash"], ["Edit"], []][index % 4] ?? [],
      fill: knowsFill
        ? fill.map(([name, tokens]) => ({
            name,
            chars: Math.round(tokens * 3.6),
            tokens: Math.round(tokens),
          }))
        : null,
    };
  });
  const overview = makeOverview(12);
  const sums = part(
    null,
    turns.reduce((all, { usage }) => all + usage.output + usage.cacheCreation5m, 0),
  );
  return {
    session: {
      ...sums,
      id,
      program: "claude-code",
      title: "Fix the winter time shift in the tide tables",
      cwd: "/home/mara/work/harbor",
      branch: "feature/winter-time",
      firstAt: began,
      lastAt: began + count * 95_000,
      parentId: null,
      isCountedBefore: false,
    },
    official: { usd: 1.94, ours: 1.92, difference: 0.02 },
    turns,
    window: 200_000,
    compactions,
    subagents: [
      {
        ...part(null, 48_210),
        agentId: "a1b2c3d4",
        type: "Explore",
        description: "Find where winter time is added",
      },
      {
        ...part(null, 112_400),
        agentId: "b2c3d4e5",
        type: "general-purpose",
        description: "Check every tide table against the port's own",
      },
    ],
    runs: Array.from({ length: 4 }, (_, index) => ({
      id: `run-${index}`,
      agent: index === 3 ? "Explore" : "main",
      model: "claude-sonnet-4-6",
      startedAt: began + index * 1_400_000,
      endedAt: began + index * 1_400_000 + 840_000,
      durationMs: 840_000 - index * 90_000,
      processingTokens: 61_000 + index * 17_320,
      toolCalls: 14 + index * 3,
      filesReread: index,
      completed: index !== 2,
    })),
    tools: overview.tools.slice(0, 6),
    rereads: overview.rereads.slice(0, 3),
    state: {
      sessionId: id,
      turn: 9,
      at: began + count * 95_000,
      program: "claude-code",
      folder: "/home/mara/work/harbor",
      phase: "Struggling",
      trust: 52,
      focus: 84,
      calls: 214,
      errors: 17,
      switches: 6,
      deadEnds: 1,
      edited: 7,
      verified: 4,
      details: {
        left: 46,
        loop: "npm test fails in the same way",
        unverified: ["src/tides/winter.ts", "src/tides/table.ts", "src/harbor/clock.ts"],
        repeatsBeforeTelling: 2,
        editsBeforeTelling: 3,
        readsBeforeTelling: 8,
        pieces: 5,
        characters: 2000,
      },
    },
    compactionDiffs: compactionDiffsAt(began),
    anomalies: overview.anomalies.slice(0, 1).map((one) => ({ ...one, sessionId: id })),
  };
}

/** Two compactions: of the newer one much is put back in each way, the older one lost nothing. */
function compactionDiffsAt(began: number): SessionPage["compactionDiffs"] {
  const item = (id: number, kind: LostItem["kind"], text: string, turn: number) => ({
    id: id.toString(16).padStart(12, "0"),
    kind,
    text,
    turn,
  });
  return [
    {
      id: "diff-2",
      at: began + 5_000_000,
      program: "claude-code",
      trigger: "auto",
      kept: [
        item(1, "file", "src/tides/winter.ts", 7),
        item(2, "open", "Compare each table with the port's own", 8),
        item(3, "file", "src/tides/table.ts", 8),
      ],
      lost: [
        { ...item(4, "decision", "Never change the tables of past years.", 2), back: "told" },
        { ...item(5, "dead_end", "npm run tides -- --zone=auto", 5), back: "given" },
        {
          ...item(
            6,
            "error",
            "RangeError: Invalid time zone specified: MEZ (mended by: use Europe/Berlin)",
            6,
          ),
          back: "chosen",
        },
        { ...item(7, "file", "src/harbor/clock.ts", 6), back: null },
        { ...item(8, "convention", "tests: npm test -- --run", 3), back: null },
      ],
    },
    {
      id: "diff-1",
      at: began + 2_000_000,
      program: "claude-code",
      trigger: "manual",
      kept: [item(1, "file", "src/tides/winter.ts", 3)],
      lost: [],
    },
  ];
}

/** A session beside 23 others of its project, which began with another's document. */
export const sessionWork: SessionWork = {
  scorecard: {
    sessionId: "s",
    prompts: 9,
    completed: 7,
    basis: { of: "project", sessions: 23 },
    measures: [
      { name: "tokens", value: 21_480, usual: 14_200, range: [3100, 48_000] },
      { name: "usd", value: 0.274, usual: 0.19, range: [0.04, 0.8] },
      { name: "cache", value: 0.94, usual: 0.91, range: [0.6, 0.97] },
      { name: "rereads", value: 0.31, usual: 0.12, range: [0, 0.4] },
      { name: "failures", value: 0.079, usual: 0.05, range: [0, 0.22] },
      { name: "loops", value: 2, usual: null, range: null },
      { name: "compactions", value: 3, usual: 0, range: [0, 2] },
      { name: "unverified", value: null, usual: 0, range: [0, 1] },
    ],
    edits: { edited: 7, verified: 4 },
    savedByGuards: 31_200,
    savedByHandover: 117_000,
    savedByPacket: 88_000,
    done: ["Committed: Add winter time to the tables", "Find where winter time is added"],
    open: ["Edited without a passed check: src/tides/winter.ts"],
  },
  handedTo: null,
  cameFrom: handover({ id: "h0000000a", sessionId: "5e550009-0000-4000-8000-000000000000", toSession: "s" }),
  canHandOver: true,
  isEnding: false,
  now: null,
  room: {
    window: 200_000,
    isWindowEstimated: false,
    compaction: 166_000,
    advice: { wrapUp: 132_800, endTurn: 152_720 },
  },
};

export function handover(own: Partial<HandoverView> = {}): HandoverView {
  return {
    id: "h3f9c1a7e",
    sessionId: "s",
    program: "claude-code",
    madeAt: now - hourMs,
    folder: "/home/mara/work/harbor",
    branch: "feature/winter-time",
    state: own.toSession === undefined || own.toSession === null ? "made" : "taken",
    toProgram: null,
    toSession: null,
    takenAt: null,
    carried: 121_000,
    tokens: 4000,
    ...own,
  };
}

export function sessionMessage(
  page: SessionPage | null,
  id = page?.session.id ?? "x",
  work: SessionWork = sessionWork,
): SessionMessage {
  return { type: "session", id, page, work, freshness: fresh };
}
