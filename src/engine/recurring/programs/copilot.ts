import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { asArgument, failedWith, type AgentProgram, type Invocation, type Printed } from "./program.ts";

const result = z.looseObject({ type: z.literal("result"), sessionId: z.string(), exitCode: z.number() });

/**
 * The permissions of a Claude Code benchmark run, as far as Copilot supports them. It matches a command only
 * by its first word, so it cannot allow `npm test` without `npm publish`.
 */
const usual = [
  "write",
  ...["purser", "ls", "cat", "head", "tail", "wc", "grep", "pwd"].map((word) => `shell(${word}:*)`),
];

/** Copilot CLI, headless. It prints no tokens; only its files have them. Observed with 1.0.102. */
export const copilot: AgentProgram = {
  word: "copilot",
  arguments: argumentsOf,
  environment: () => ({}),
  read(ended): Printed {
    const last = ended.output
      .split("\n")
      .flatMap((line) => readJson(result, line) ?? [])
      .at(-1);
    const isFine = ended.exitCode === 0 && (last?.exitCode ?? 0) === 0;
    return {
      sessionId: last?.sessionId ?? null,
      raw: null,
      end: isFine ? { kind: "ended" } : failedWith(ended),
    };
  },
  isGone: ({ exitCode, output }) => exitCode !== 0 && /No session, task, or name matched/u.test(output),
};

function argumentsOf({ agent, prompt, resume, sessionId, desk }: Invocation): string[] {
  const { model, permissions, instructions } = agent;
  return [
    ...(resume === null ? [`--session-id=${sessionId}`] : [`--resume=${resume}`]),
    "--model",
    model,
    "--output-format",
    "json",
    "--add-dir",
    desk,
    "--disable-builtin-mcps",
    ...(instructions === "none" ? ["--no-custom-instructions"] : []),
    ...[...usual, ...permissions.allow].map((each) => `--allow-tool=${each}`),
    "-p",
    asArgument(prompt),
  ];
}
