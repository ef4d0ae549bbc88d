import { execFileSync } from "node:child_process";
import * as z from "zod";
import type { Tokens } from "../../agents/scenarios/tokens.ts";
import type { CompareCase } from "./case.ts";
import type { CaseHome } from "./home.ts";

const reportJson = z.looseObject({
  totals: z
    .looseObject({
      inputTokens: z.int(),
      outputTokens: z.int(),
      cacheCreationTokens: z.int(),
      cacheReadTokens: z.int(),
    })
    .nullable(),
});

/**
 * Returns ccusage's count for a case's files in one of its two reports, which have separate readers. Runs it offline.
 */
export function countWithCcusage(
  ccusage: string,
  { program }: CompareCase,
  { home, env, by }: CaseHome & { readonly by: "daily" | "session" },
): Tokens {
  const stdout = execFileSync(ccusage, [program, by, "--json", "--offline"], {
    env: { HOME: home, TZ: "UTC", ...env },
    cwd: home,
    encoding: "utf8",
    timeout: 60_000,
  });
  const { totals } = reportJson.parse(JSON.parse(stdout));
  return {
    input: totals?.inputTokens ?? 0,
    output: totals?.outputTokens ?? 0,
    cacheCreation: totals?.cacheCreationTokens ?? 0,
    cacheRead: totals?.cacheReadTokens ?? 0,
  };
}
