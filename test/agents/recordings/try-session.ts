import { join } from "node:path";
import { openAgent } from "../agent.ts";
import { newestClaude } from "../install.ts";
import { takeRecording, writeExpected, writeFileIn } from "./recording.ts";
import { tryProject, tryTurns } from "./try-story.ts";

/**
 * Records the session that `npm run try` plays: `try-session.jsonl`, its subagent in `try-session/subagents` (the
 * layout they have under the session's own id), and `try-session.expected.json`.
 */
export async function recordTrySession(binary: string, recordings: string): Promise<void> {
  const agent = await openAgent(newestClaude, binary, "try");
  try {
    for (const [path, text] of Object.entries(tryProject)) {
      await writeFileIn(join(agent.scratch.workspace, path), text);
    }
    let session: string | undefined;
    for (const turn of tryTurns(agent.scratch.workspace)) {
      session = await agent.turn(session === undefined ? turn : { ...turn, resume: session });
    }
    const { files, expected } = await takeRecording(agent, "try", spacing);
    const id = expected.sessions[0]?.id ?? "";
    for (const [path, text] of files) {
      const [, below] = path.split(id);
      await writeFileIn(join(recordings, `try-session${below ?? ""}`), text);
    }
    await writeExpected(join(recordings, "try-session.expected.json"), {
      generation: newestClaude,
      model: "claude-sonnet-4-6",
      windowTokens: 200_000,
      ...expected,
    });
  } finally {
    await agent.close();
  }
}

/** Two to nine seconds between moments, the same in every recording. Milliseconds. */
function spacing(rank: number): number {
  return 2_000 + ((rank * 2_654_435_761) % 7_000);
}
