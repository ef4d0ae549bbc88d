import { execFileSync } from "node:child_process";
import * as z from "zod";
import type { CompareCase, Figures } from "./case.ts";
import type { CaseHome } from "./home.ts";

const tokens = z.int().nonnegative();
const totals = z.looseObject({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheCreationTokens: tokens,
  cacheReadTokens: tokens,
  /** Codex's report calls it otherwise. */
  totalCost: z.number().optional(),
  costUSD: z.number().optional(),
});
const reportJson = z.looseObject({
  projects: z.record(z.string(), z.unknown()).optional(),
  sessions: z.array(z.looseObject({ projectPath: z.string().optional() })).optional(),
  totals: totals.nullable(),
});

/**
 * Returns ccusage's figures for a case's files in one of its two reports, which have separate readers. Runs it offline.
 */
export function countWithCcusage(
  ccusage: string,
  { program }: CompareCase,
  { home, env, by }: CaseHome & { readonly by: "daily" | "session" },
): Figures {
  const grouped = program === "claude" && by === "daily" ? ["--instances"] : [];
  const stdout = execFileSync(ccusage, [program, by, "--json", "--offline", ...grouped], {
    env: { HOME: home, TZ: "UTC", ...env },
    cwd: home,
    encoding: "utf8",
    timeout: 60_000,
  });
  const { totals: sum, projects, sessions = [] } = reportJson.parse(JSON.parse(stdout));
  const ofSessions = new Set(sessions.map(({ projectPath }) => projectPath));
  return {
    tokens: {
      input: sum?.inputTokens ?? 0,
      output: sum?.outputTokens ?? 0,
      cacheCreation: sum?.cacheCreationTokens ?? 0,
      cacheRead: sum?.cacheReadTokens ?? 0,
    },
    usd: sum?.totalCost ?? sum?.costUSD ?? null,
    projects: projects === undefined ? ofSessions.size : Object.keys(projects).length,
  };
}
