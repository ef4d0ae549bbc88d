import { findAgentProgram, handoverWords, type HandoverWord } from "../../engine/continuity/handover.ts";

/** An agent that can be started here, and its program. */
export interface InstalledAgent {
  readonly word: HandoverWord;
  readonly file: string;
}

/** Finds the agents that a terminal of this window would find. */
export async function installedAgents(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<readonly InstalledAgent[]> {
  const found = await Promise.all(
    handoverWords.map(async (word) => {
      const { file } = await findAgentProgram(word, { env, platform });
      return file === null ? [] : [{ word, file }];
    }),
  );
  return found.flat();
}
