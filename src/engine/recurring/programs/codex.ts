import { plainSentence } from "../../base/language.ts";
import * as z from "zod/mini";
import { parseJson } from "../../base/parse.ts";
import { asArgument, failedWith, type AgentProgram, type Invocation, type Printed } from "./program.ts";

const started = z.looseObject({ type: z.literal("thread.started"), thread_id: z.string() });
const completed = z.looseObject({
  type: z.literal("turn.completed"),
  usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
});
const failedTurn = z.looseObject({
  type: z.enum(["turn.failed", "error"]),
  message: z.optional(z.string()),
  error: z.optional(z.looseObject({ message: z.string() })),
});

/** Codex, headless. Seen with 0.169.0. */
export const codex: AgentProgram = {
  word: "codex",
  arguments: argumentsOf,
  environment: () => ({}),
  read(ended): Printed {
    const lines = ended.output.split("\n").map(parseJson);
    const first = lines.flatMap((line) => started.safeParse(line).data ?? [])[0];
    const turns = lines.flatMap((line) => completed.safeParse(line).data ?? []);
    const failures = lines.flatMap((line) => failedTurn.safeParse(line).data ?? []);
    const why = failures.at(-1);
    return {
      sessionId: first?.thread_id ?? null,
      raw:
        turns.length === 0 && ended.exitCode !== 0
          ? null
          : {
              input: turns.reduce((sum, { usage }) => sum + usage.input_tokens, 0),
              output: turns.reduce((sum, { usage }) => sum + usage.output_tokens, 0),
            },
      end:
        ended.exitCode === 0
          ? { kind: "ended" }
          : why === undefined
            ? failedWith(ended)
            : {
                kind: "failed",
                detail: plainSentence((why.error?.message ?? why.message ?? "").slice(0, 500)),
              },
    };
  },
  isGone: ({ exitCode, output }) => exitCode !== 0 && /no rollout found for thread id/u.test(output),
};

const fewTools = [
  "--disable",
  "multi_agent",
  "--disable",
  "goals",
  "-c",
  "features.view_image=false",
  "-c",
  "tools.experimental_request_user_input.enabled=false",
] as const;

function argumentsOf({ agent, prompt, resume, desk }: Invocation): string[] {
  const { model, permissions, instructions, tools, skills } = agent;
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--sandbox",
    "workspace-write",
    "-m",
    model,
    // The same in every wake: another value would break the cached prefix.
    "-c",
    `sandbox_workspace_write.writable_roots=${JSON.stringify([desk])}`,
    ...(permissions.network ? ["-c", "sandbox_workspace_write.network_access=true"] : []),
    ...(instructions === "none" ? ["-c", "project_doc_max_bytes=0"] : []),
    // A login shell sets its own path, which may not contain purser.
    "-c",
    "allow_login_shell=false",
    // Tools that recurring work rarely needs take 13 kB of each request. Nobody would answer a question.
    ...(tools === "all" ? [] : fewTools),
    // Without any, the list of skills is left out: it has those that come with Codex, too, and takes 3 kB.
    ...(skills === "all" ? [] : ["-c", "skills.include_instructions=false"]),
    // Without a network it would wait for one for ever.
    "--disable",
    "unbounded_connection_retries",
    ...(resume === null ? [] : ["resume", resume]),
    asArgument(prompt),
  ];
}
