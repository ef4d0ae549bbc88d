import { sentence } from "../../base/language.ts";
import { spawn } from "node:child_process";
import { fail, succeed, type Result } from "../../base/result.ts";
import { startOf } from "../../base/process.ts";
import type { HandoverDraft } from "../../continuity/continuity-answers.ts";
import { displayNameOf, launchArguments, type HandoverWord } from "../../continuity/handover.ts";
import { agents } from "../../transcripts/agents.ts";
import { canAsk } from "../confirm.ts";
import type { CliHost } from "../cli-ports.ts";

export interface AgentStart {
  readonly file: string;
  readonly word: HandoverWord;
  readonly draft: HandoverDraft;
  readonly folder: string;
  /** Folder of documents. */
  readonly place: string;
}

/** Waits for its end and returns its exit code. */
export async function startAgent(
  { file, word, draft, folder, place }: AgentStart,
  host: CliHost,
): Promise<Result<number>> {
  const { id, text } = draft;
  const isAttended = canAsk(host);
  const args = launchArguments({
    word,
    id,
    text,
    file: draft.file,
    folder: place,
    platform: process.platform,
    isAttended,
  });
  const program = startOf(file, args, process.platform);
  return await new Promise((resolve) => {
    const child = spawn(program.file, [...program.args], {
      cwd: folder,
      env: ownEnvironment(host.env),
      stdio: [isAttended ? "inherit" : "ignore", "inherit", "inherit"],
    });
    // The agent answers an interrupt itself: its end is ours.
    const wait = () => undefined;
    process.on("SIGINT", wait);
    const end = (result: Result<number>) => {
      process.off("SIGINT", wait);
      resolve(result);
    };
    child.once("error", (error) =>
      end(
        fail(
          "not_started",
          sentence(
            "{0} could not be started: {1}. The document is {2}",
            displayNameOf(word),
            error.message,
            draft.file,
          ),
        ),
      ),
    );
    child.once("exit", (code) => end(succeed(code ?? 1)));
  });
}

/** Removes variables that tell an agent's tools their session: the new agent does not run as a tool. */
function ownEnvironment(env: CliHost["env"]): Record<string, string | undefined> {
  const marks = new Set([
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    // Agents read purser in English.
    "PURSER_LANG",
    ...agents.map((agent) => agent.sessionVariable),
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !marks.has(name)));
}
