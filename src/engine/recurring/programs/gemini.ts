import * as z from "zod/mini";
import { lastJson } from "../../bench/drivers.ts";
import {
  asArgument,
  failedWith,
  ownCommand,
  type AgentProgram,
  type Invocation,
  type Printed,
} from "./program.ts";

const printed = z.looseObject({
  session_id: z.string(),
  response: z.catch(z.optional(z.string()), undefined),
  stats: z.catch(
    z.optional(
      z.looseObject({
        models: z.record(
          z.string(),
          z.looseObject({
            tokens: z.looseObject({ prompt: z.number(), candidates: z._default(z.number(), 0) }),
          }),
        ),
      }),
    ),
    undefined,
  ),
});

/** Gemini CLI, headless. Seen with 0.61.0. */
export const gemini: AgentProgram = {
  word: "gemini",
  arguments: argumentsOf,
  environment: () => ({}),
  read(ended): Printed {
    const { data } = printed.safeParse(lastJson(ended.output));
    // A refused prompt leaves the sums empty.
    const models = data?.stats === undefined ? null : Object.values(data.stats.models);
    return {
      sessionId: data?.session_id ?? null,
      raw: models && {
        input: models.reduce((sum, { tokens }) => sum + tokens.prompt, 0),
        output: models.reduce((sum, { tokens }) => sum + tokens.candidates, 0),
      },
      ...(data?.response === undefined ? {} : { reply: data.response }),
      end: ended.exitCode === 0 ? { kind: "ended" } : failedWith(ended),
    };
  },
  isGone: ({ exitCode, output }) =>
    exitCode !== 0 &&
    /Error resuming session|Invalid session identifier|No previous sessions found/u.test(output),
};

function argumentsOf({ agent, prompt, resume, sessionId, desk }: Invocation): string[] {
  const { model, mcp } = agent;
  return [
    "-m",
    model,
    "-o",
    "json",
    "--approval-mode",
    "auto_edit",
    "--allowed-tools",
    `run_shell_command(${ownCommand})`,
    "--include-directories",
    desk,
    // A name that no server has leaves out all.
    "--allowed-mcp-server-names",
    mcp.length === 0 ? "none" : mcp.join(","),
    ...(resume === null ? ["--session-id", sessionId] : ["--resume", resume]),
    "-p",
    asArgument(prompt),
  ];
}
