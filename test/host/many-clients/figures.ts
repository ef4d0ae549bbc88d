import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { cacheCreation, noUsage, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import type { Scratch } from "../scratch.ts";

const recordings = resolve(import.meta.dirname, "../../recordings");

/** Usage of one agent, in the command line's terms. */
export interface Used {
  readonly responses: number;
  readonly input: number;
  readonly output: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
}

/** The figures that every client must show. */
export interface Figures {
  /** By session of Claude Code: occupancy in percent of the window, with one decimal. */
  readonly percents: Readonly<Record<string, number>>;
  /** By agent. */
  readonly used: Readonly<Record<string, Used>>;
}

const sumSchema = z.object({
  responses: z.number(),
  input: z.number(),
  output: z.number(),
  cacheCreation5m: z.number(),
  cacheCreation1h: z.number(),
  cacheRead: z.number(),
});
const claudeSchema = z.object({
  windowTokens: z.number(),
  byModel: z.record(z.string(), sumSchema),
  sessions: z.array(z.object({ id: z.string(), contextTokens: z.number() })),
});
const codexSchema = z.object({
  sessions: z.array(
    z.object({
      responses: z.array(sumSchema.omit({ responses: true, cacheCreation1h: true })),
    }),
  ),
});

/** Copies every recorded session of Claude Code and Codex to its agent's folder; returns the figures of what was sent to them. */
export async function placeRecordings({ claude, home }: Pick<Scratch, "claude" | "home">): Promise<Figures> {
  const percents: Record<string, number> = {};
  const used = { "claude-code": usedBy(noUsage, 0), codex: usedBy(noUsage, 0) };
  for (const folder of await recorded()) {
    const said: unknown = JSON.parse(await readFile(join(folder, "expected.json"), "utf8"));
    if (folder.includes("codex-")) {
      await cp(folder, join(home, ".codex"), { recursive: true });
      for (const { responses } of codexSchema.parse(said).sessions)
        for (const sent of responses)
          used.codex = together(used.codex, usedBy({ ...sent, cacheCreation1h: 0 }, 1));
    } else {
      await cp(folder, claude, { recursive: true });
      used["claude-code"] = together(used["claude-code"], addClaude(said, percents));
    }
  }
  const played = await placeTrySession(claude);
  used["claude-code"] = together(used["claude-code"], addClaude(played, percents));
  return { percents, used };
}

/** Folders of these agents' recordings except the one that `npm run try` plays. */
async function recorded(): Promise<string[]> {
  const entries = await readdir(recordings, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name === "expected.json")
    .map(({ parentPath }) => parentPath)
    .filter((folder) => !/\b(?:copilot|gemini)-/u.test(folder));
}

async function placeTrySession(claude: string): Promise<unknown> {
  const said: unknown = JSON.parse(await readFile(join(recordings, "try-session.expected.json"), "utf8"));
  const [id = ""] = claudeSchema.parse(said).sessions.map((session) => session.id);
  const project = join(claude, "projects", "-home-dev-harbor");
  await mkdir(project, { recursive: true });
  await cp(join(recordings, "try-session.jsonl"), join(project, `${id}.jsonl`));
  await cp(join(recordings, "try-session"), join(project, id), { recursive: true });
  return said;
}

function addClaude(said: unknown, percents: Record<string, number>): Used {
  const { windowTokens, byModel, sessions } = claudeSchema.parse(said);
  for (const { id, contextTokens } of sessions) percents[id] = shareOf(contextTokens, windowTokens);
  return Object.values(byModel)
    .map((sum) => usedBy(sum, sum.responses))
    .reduce(together);
}

/** The figures of Claude Code's sessions, as shown. */
export function percentsOf(
  sessions: readonly { readonly id: string; readonly agent: string; readonly percent: number | null }[],
): Record<string, number> {
  const own = sessions.filter(({ agent }) => agent === "claude-code");
  return Object.fromEntries(own.map(({ id, percent }) => [id, oneDecimal(percent ?? -1)]));
}

/** Percentage with one decimal. */
export function shareOf(tokens: number, window: number): number {
  return oneDecimal((tokens / window) * 100);
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}

export function usedBy(usage: TokenUsage, responses: number): Used {
  const { input, output, cacheRead } = usage;
  return { responses, input, output, cacheCreation: cacheCreation(usage), cacheRead };
}

export function together(one: Used, other: Used): Used {
  return {
    responses: one.responses + other.responses,
    input: one.input + other.input,
    output: one.output + other.output,
    cacheCreation: one.cacheCreation + other.cacheCreation,
    cacheRead: one.cacheRead + other.cacheRead,
  };
}
