import type { Freshness, Overview } from "../../../src/engine/ledger/ledger-answers.ts";
import type { OverviewMessage } from "../../../src/webview/ledger/ledger-protocol.ts";

/** Synthetic answers of a plausible ledger, the same in every run. */

/** Saturday, 21 November 2026, 14:32 in the page's time zone. */
export const now = Date.parse("2026-11-21T14:32:00");
const dayMs = 86_400_000;
export const hourMs = 3_600_000;

export const fresh: Freshness = { asOf: now - 40_000, files: 0, done: 0, problems: [] };

/** Pseudorandom numbers from 0 to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

type Part = Overview["projects"][number];
type Called = Overview["tools"][number];

export function part(key: string | null, tokens: number, usdPerMillion: number | null = 6): Part {
  const usage = {
    input: Math.round(tokens * 0.03),
    output: Math.round(tokens * 0.17),
    cacheCreation5m: Math.round(tokens * 0.7),
    cacheCreation1h: Math.round(tokens * 0.1),
    cacheRead: Math.round(tokens * 14.2),
  };
  const responses = Math.max(1, Math.round(tokens / 4200));
  return usdPerMillion === null
    ? { key, usage, responses, usd: null, unpriced: responses, standardTier: 0 }
    : { key, usage, responses, usd: (tokens / 1_000_000) * usdPerMillion * 3, unpriced: 0, standardTier: 0 };
}

function called(key: string | null, tokens: number, calls: number): Called {
  return {
    ...part(key, tokens),
    calls,
    errors: Math.round(calls * 0.03),
    inputChars: calls * 180,
    resultChars: calls * 3400,
  };
}

const models: readonly (readonly [string, number, number | null])[] = [
  ["claude-sonnet-4-6", 0.5, 6],
  ["claude-opus-4-6", 0.22, 10],
  ["gpt-5.2-codex", 0.12, 4],
  ["claude-haiku-4-5", 0.09, 1.4],
  ["gemini-3-pro", 0.04, 3],
  ["gpt-5.2-mini", 0.02, 0.8],
  ["local-coder-32b", 0.01, null],
];

function total(parts: readonly Part[]): Overview["totals"] {
  const sum = (pick: (one: Part) => number) => parts.reduce((all, one) => all + pick(one), 0);
  return {
    responses: sum((one) => one.responses),
    usage: {
      input: sum((one) => one.usage.input),
      output: sum((one) => one.usage.output),
      cacheCreation5m: sum((one) => one.usage.cacheCreation5m),
      cacheCreation1h: sum((one) => one.usage.cacheCreation1h),
      cacheRead: sum((one) => one.usage.cacheRead),
    },
    usd: sum((one) => one.usd ?? 0),
    unpriced: sum((one) => one.unpriced),
    standardTier: 0,
  };
}

const titles = [
  "Fix the winter time shift in the tide tables",
  "Book berths by month",
  "Move payments to the new ledger",
  "Why does the nightly import time out",
  "Add a dark theme to the berth map",
  "Review of the booking form",
  "Split the import into stages",
  null,
  "Write the release notes for 2.4",
  "Make the tide chart readable on a phone",
];
const projects = [
  "/home/mara/work/harbor",
  "/home/mara/work/berth-map",
  "/home/mara/oss/tide-tables",
  "/home/mara/work/clients/north/harbor",
  "/home/mara/notes",
];

/** @param count number of days, ending today */
export function makeOverview(count: number, seed = 7): Overview {
  const random = randomFrom(seed);
  const days = Array.from({ length: count }, (_, index) => {
    const at = new Date(now - (count - 1 - index) * dayMs);
    const isWeekend = at.getDay() % 6 === 0;
    const busy = (isWeekend ? 0.18 : 1) * (0.35 + random());
    const day = `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, "0")}-${String(at.getDate()).padStart(2, "0")}`;
    const parts = models
      .filter(([, weight]) => random() < 0.35 + weight * 2)
      .map(([name, weight, price]) =>
        part(name, Math.round(2_400_000 * busy * weight * (0.5 + random())), price),
      );
    const shown = random() < (isWeekend ? 0.4 : 0.03) ? [] : parts;
    const tokens = shown.reduce((all, { usage }) => all + usage.cacheCreation5m, 0);
    const shares = [
      ["claude-code", 0.8],
      ["codex", 0.15],
      ["gemini", 0.05],
    ] as const;
    return {
      day,
      models: shown,
      programs: shares.map(([name, share]) => part(name, Math.round((tokens * share) / 0.7))),
    };
  }).filter((day) => day.models.length > 0);
  const all = days.flatMap((day) => day.models);
  const totals = total(all);
  const tokens = totals.usage.input + totals.usage.output + totals.usage.cacheCreation5m;
  const shared = (weights: readonly (readonly [string | null, number])[]) =>
    weights.map(([key, weight]) => part(key, Math.round(tokens * weight)));
  const sharedCalls = (weights: readonly (readonly [string | null, number])[]) =>
    weights.map(([key, weight]) => called(key, Math.round(tokens * weight), Math.round(weight * 6400)));
  const sessions = Array.from({ length: 48 }, (_, index) => {
    const lastAt = now - index * 5.3 * hourMs - random() * hourMs;
    return {
      ...part(null, Math.round(90_000 + random() ** 3 * 2_600_000)),
      id: `5e55${String(index).padStart(4, "0")}-0000-4000-8000-000000000000`,
      program: ["claude-code", "claude-code", "claude-code", "codex", "gemini"][index % 5] ?? null,
      title: titles[index % titles.length] ?? null,
      cwd: projects[(index * 7) % 5] ?? null,
      branch: index % 3 === 0 ? "main" : "feature/winter-time",
      firstAt: lastAt - random() * 3 * hourMs,
      lastAt,
      parentId: null,
      isCountedBefore: false,
    };
  });
  const anomaly = (index: number): Overview["anomalies"][number] => ({
    id: `anomaly-${index}`,
    sessionId: sessions[index]?.id ?? "",
    agentId: null,
    title: sessions[index]?.title ?? null,
    project: sessions[index]?.cwd ?? null,
    program: "claude-code",
    at: sessions[index]?.lastAt ?? null,
    shownAt: null,
    ...((
      [
        { cause: "costly-run", value: 1_243_118, usual: 310_400, turns: ["msg_12", "msg_13", "msg_14"] },
        { cause: "cache-fall", value: 0.34, usual: 0.96, turns: ["msg_20"] },
        { cause: "stall", value: 186_220, usual: null, turns: ["msg_30", "msg_31", "msg_32", "msg_33"] },
      ] as const satisfies readonly Partial<Overview["anomalies"][number]>[]
    ).map((one) => ({ ...one, turns: [...one.turns] }))[index % 3] ?? {
      cause: "stall",
      value: null,
      usual: null,
      turns: [],
    }),
  });
  const usd = totals.usd ?? 0;
  return {
    totals,
    costByKind: { input: usd * 0.02, cacheWrites: usd * 0.4, output: usd * 0.28, cacheReads: usd * 0.3 },
    days,
    hours: null,
    projects: shared([
      [projects[0] ?? "", 0.44],
      [projects[1] ?? "", 0.23],
      [projects[2] ?? "", 0.16],
      [projects[3] ?? "", 0.11],
      [projects[4] ?? "", 0.05],
      [null, 0.01],
    ]),
    models: models.map(([name, weight, price]) => part(name, Math.round(tokens * weight), price)),
    programs: shared([
      ["claude-code", 0.8],
      ["codex", 0.15],
      ["gemini", 0.05],
    ]),
    branches: shared([
      ["main", 0.5],
      ["feature/winter-time", 0.3],
      ["fix/import-timeout", 0.15],
      [null, 0.05],
    ]),
    subagents: shared([
      [null, 0.7],
      ["general-purpose", 0.2],
      ["Explore", 0.1],
    ]),
    tools: sharedCalls([
      ["Read", 0.29],
      ["Bash", 0.24],
      ["Edit", 0.16],
      [null, 0.12],
      ["Grep", 0.08],
      ["Write", 0.05],
      ["Agent", 0.03],
      ["mcp__tides__predict", 0.02],
      ["WebFetch", 0.01],
    ]),
    skills: sharedCalls([
      [null, 0.96],
      ["release-notes", 0.04],
    ]),
    servers: sharedCalls([
      [null, 0.95],
      ["tides", 0.04],
      ["issues", 0.01],
    ]),
    rereads: [
      ["/home/mara/work/harbor/src/tide.ts", 9, 142_300],
      ["/home/mara/work/harbor/src/ledger.ts", 7, 98_112],
      ["/home/mara/work/berth-map/src/components/map/layers/berth-layer-with-a-long-name.tsx", 5, 61_040],
      ["/home/mara/work/harbor/README.md", 4, null],
      ["/home/mara/oss/tide-tables/tables/2026.csv", 3, 402_118],
    ].map(([path, reads, chars], index) => ({
      path: String(path),
      reads: Number(reads),
      chars: typeof chars === "number" ? chars : null,
      sessionId: sessions[index]?.id ?? "",
    })),
    anomalies: [anomaly(0), anomaly(1), anomaly(2)],
    planLimits: [
      {
        program: "codex",
        name: "5 hours",
        at: now - 11 * 60_000,
        usedPercent: 62,
        windowMinutes: 300,
        resetsAt: now + 1.6 * hourMs,
      },
      {
        program: "codex",
        name: "7 days",
        at: now - 11 * 60_000,
        usedPercent: 31,
        windowMinutes: 10_080,
        resetsAt: now + 3.2 * dayMs,
      },
    ],
    sessions,
    sessionCount: 182,
    choices: { projects: [...projects], programs: ["claude-code", "codex", "gemini"], machines: [] },
    machines: [],
    undated: 0,
  };
}

export function emptyOverview(): Overview {
  const full = makeOverview(2);
  return {
    totals: total([]),
    costByKind: { input: 0, cacheWrites: 0, output: 0, cacheReads: 0 },
    days: [],
    hours: null,
    projects: [],
    models: [],
    programs: [],
    branches: [],
    subagents: [],
    machines: [],
    tools: [],
    skills: [],
    servers: [],
    rereads: [],
    anomalies: [],
    planLimits: [],
    sessions: [],
    sessionCount: 0,
    undated: 0,
    choices: { ...full.choices, projects: [], programs: [], machines: [] },
  };
}

export function overviewMessage(overview: Overview, change: Partial<OverviewMessage> = {}): OverviewMessage {
  return {
    type: "overview",
    question: { range: { kind: "last", days: 30 }, project: null, program: null },
    since: "2026-10-23",
    until: "2026-11-21",
    overview,
    previous: null,
    freshness: fresh,
    ...change,
  };
}
