import { sentence, plainSentence } from "../base/language.ts";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { fail, succeed, type Result } from "../base/result.ts";
import { noUsage, type TokenUsage } from "../usage/token-counts.ts";
import { killMarked } from "./processes.ts";
import { runProgram, type ProgramEnd } from "./execute/run-program.ts";
import type { AgentPorts } from "./drivers/claude/claude.ts";
import { claudeEnvironment } from "./drivers/claude/claude-environment.ts";
import { printedIn, messageOf } from "./drivers/claude/arguments.ts";

export interface Question {
  readonly prompt: string;
  /** System prompt, in place of a coding agent's own instructions, which are not needed here. */
  readonly role: string;
  readonly model: string;
  /** Maximum tokens of the answer, which is then without thinking. Absent for Claude Code's own maximum. */
  readonly maxAnswerTokens?: number;
}

export interface Answer {
  /** The model's text, untrusted. */
  readonly text: string;
  readonly usage: TokenUsage;
}

/** `too_long`: the prompt is longer than a program's arguments may be. */
export type AskFault = "too_long" | "not_started" | "cancelled" | "no_answer";

/** Milliseconds; a long answer takes a minute or two. */
const askTime = 10 * 60_000;
/** Linux limits one argument to 128 KiB, Windows a whole command line to 32 Ki. Bytes. */
const maxPromptLength = { win32: 30_000, others: 120_000 };
const mark = "ask";

/**
 * Asks the user's own Claude Code one question: one turn without tools, hooks, settings, instructions or MCP servers, in an empty
 * folder. The session is not stored.
 */
export async function askClaude(
  { prompt, role, model, maxAnswerTokens }: Question,
  { program, env, userHome, clock, scratch }: AgentPorts,
  signal: AbortSignal,
): Promise<Result<Answer, AskFault>> {
  const { platform } = process;
  const maxLength = platform === "win32" ? maxPromptLength.win32 : maxPromptLength.others;
  if (Buffer.byteLength(prompt) > maxLength)
    return fail(
      "too_long",
      sentence("What is to be asked is {0} bytes, of at most {1}", Buffer.byteLength(prompt), maxLength),
    );
  const root = await mkdtemp(path.join(scratch, "purser-ask-"));
  const own = `${mark}-${path.basename(root)}`;
  try {
    const within = (name: string) => path.join(root, name);
    const folders = { root, copy: root, home: root, temporary: within("tmp"), config: within("config") };
    await mkdir(folders.temporary, { recursive: true });
    const ended = await runProgram({
      file: program,
      args: askArguments({ prompt, role, model }),
      cwd: root,
      timeout: askTime,
      signal,
      clock,
      env: {
        ...claudeEnvironment({ env, userHome, folders, mark: own, platform }),
        ...(maxAnswerTokens === undefined ? {} : boundOf(maxAnswerTokens)),
      },
    });
    return answerOf(ended, program);
  } finally {
    await killMarked(own);
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Keeps an answer within the announced price: thinking, which counts as output, is off. */
function boundOf(tokens: number): Record<string, string> {
  return { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(tokens), MAX_THINKING_TOKENS: "0" };
}

function askArguments({ prompt, role, model }: Question): string[] {
  return [
    "-p",
    prompt.startsWith("-") ? ` ${prompt}` : prompt,
    "--model",
    model,
    "--system-prompt",
    role,
    "--tools",
    "",
    "--max-turns",
    "1",
    "--output-format",
    "json",
    "--no-session-persistence",
    "--setting-sources",
    "",
    "--settings",
    '{"disableAllHooks":true}',
    "--strict-mcp-config",
    "--disable-slash-commands",
  ];
}

function answerOf({ how, exitCode, output }: ProgramEnd, program: string): Result<Answer, AskFault> {
  if (how === "cancelled") return fail("cancelled", sentence("It was cancelled"));
  if (how === "not-started") return fail("not_started", sentence("{0} could not be started", program));
  if (how === "timeout")
    return fail("no_answer", sentence("{0} gave no answer within {1} minutes", program, askTime / 60_000));
  const printed = printedIn(output);
  if (printed === undefined)
    return fail(
      "no_answer",
      sentence("{0} ended with exit code {1}: {2}", program, exitCode ?? "none", output.trim().slice(-300)),
    );
  if (printed.is_error || printed.result === undefined)
    return fail("no_answer", plainSentence(messageOf(printed)));
  return succeed({ text: printed.result, usage: usageOf(printed.usage) });
}

function usageOf(usage: NonNullable<ReturnType<typeof printedIn>>["usage"]): TokenUsage {
  if (usage === undefined) return noUsage;
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    // The output does not contain the lifetime of the cache.
    cacheCreation5m: usage.cache_creation_input_tokens,
    cacheCreation1h: 0,
  };
}
