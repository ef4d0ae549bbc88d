import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { asArgument, failedWith, type AgentProgram, type Invocation, type Printed } from "./program.ts";

const result = z.looseObject({ type: z.literal("result"), sessionId: z.string(), exitCode: z.number() });

/**
 * The permissions of a benchmark run of Claude Code, as far as Copilot can be told: it knows a command by its first word alone, and so takes no `npm test`
 * without `npm publish`.
 */
const usual = [
  "write",
  ...["purser", "ls", "cat", "head", "tail", "wc", "grep", "pwd"].map((word) => `shell(${word}:*)`),
];

/** Copilot CLI, headless. It prints no tokens: only its files tell them. Seen with 1.0.102. */
export const copilot: AgentProgram = {
  word: "copilot",
  arguments: argumentsOf,
  environment: () => ({}),
  read(ended): Printed {
    const last = ended.output
      .split("\n")
      .flatMap((line) => result.safeParse(parseJson(line)).data ?? [])
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
