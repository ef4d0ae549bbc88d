import { execFileSync } from "node:child_process";
import path from "node:path";
import * as z from "zod";
import type { CompareCase, Figures } from "./case.ts";
import type { CaseHome } from "./home.ts";

const tokens = z.int().nonnegative();
const reportJson = z.looseObject({
  currency: z.literal("USD"),
  overview: z.looseObject({
    cost: z.number(),
    tokens: z.looseObject({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens }),
  }),
  projects: z.array(z.looseObject({ path: z.string() })),
});

/** Nobody listens there: prices are those that it ships with. */
const noNetwork = "http://127.0.0.1:9";
/** Its longest period is of six months. */
const always = ["--from", "2020-01-01", "--to", "2099-12-31"];

/** Returns codeburn's figures for a case's files. Runs it offline, in the case's own home. */
export function countWithCodeburn(
  script: string,
  { program }: CompareCase,
  { home, env }: CaseHome,
): Figures {
  const args = [script, "report", "--format", "json", "--provider", program, ...always];
  const stdout = execFileSync(process.execPath, args, {
    env: {
      HOME: home,
      PATH: process.env["PATH"],
      TZ: "UTC",
      CODEBURN_CACHE_DIR: path.join(home, "codeburn-cache"),
      HTTPS_PROXY: noNetwork,
      HTTP_PROXY: noNetwork,
      NODE_USE_ENV_PROXY: "1",
      ...env,
      ...(env["COPILOT_HOME"] === undefined
        ? {}
        : { CODEBURN_COPILOT_SESSION_STATE_DIR: path.join(env["COPILOT_HOME"], "session-state") }),
    },
    cwd: home,
    encoding: "utf8",
    timeout: 60_000,
  });
  const { overview, projects } = reportJson.parse(JSON.parse(stdout));
  const { input, output, cacheWrite, cacheRead } = overview.tokens;
  return {
    tokens: { input, output, cacheCreation: cacheWrite, cacheRead },
    usd: overview.cost,
    projects: projects.length,
  };
}
