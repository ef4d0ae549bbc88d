import { claudeRoots } from "../../src/engine/transcripts/claude/roots.ts";
import { findTranscripts } from "../../src/engine/transcripts/claude/files.ts";
import { countRollouts } from "../../src/engine/transcripts/codex/count-rollouts.ts";
import { findRollouts } from "../../src/engine/transcripts/codex/files.ts";
import { readRollout } from "../../src/engine/transcripts/codex/read-rollout-file.ts";
import { codexRoots } from "../../src/engine/transcripts/codex/roots.ts";
import { countCopilot } from "../../src/engine/transcripts/copilot/count-sessions.ts";
import { copilotStore, findEventFiles } from "../../src/engine/transcripts/copilot/files.ts";
import { readEvents } from "../../src/engine/transcripts/copilot/read-event-file.ts";
import { readStore } from "../../src/engine/transcripts/copilot/read-store.ts";
import { copilotRoot } from "../../src/engine/transcripts/copilot/roots.ts";
import { findGeminiSessions } from "../../src/engine/transcripts/gemini/files.ts";
import { readChat } from "../../src/engine/transcripts/gemini/read-chat-file.ts";
import { geminiRoots } from "../../src/engine/transcripts/gemini/roots.ts";
import { scanTranscripts } from "../../src/engine/transcripts/scan/scan.ts";
import { cacheCreation, type TokenUsage } from "../../src/engine/usage/token-usage.ts";
import { countOnce } from "../../src/engine/usage/usage-record.ts";
import type { Tokens } from "../agents/tokens.ts";
import { sumSent, type CompareCase } from "./compare-case.ts";
import type { CasePlace } from "./compare-place.ts";

/** What purser counts in a case's files. */
export async function countWithPurser({ program }: CompareCase, place: CasePlace): Promise<Tokens> {
  const responses = await read[program](place);
  return sumSent([...responses].map(({ usage }) => ({ ...usage, cacheCreation: cacheCreation(usage) })));
}

interface Counted {
  readonly usage: TokenUsage;
}

const read: Record<CompareCase["program"], (place: CasePlace) => Promise<Iterable<Counted>> | Counted[]> = {
  claude: async (place) => {
    const { files } = findTranscripts(claudeRoots(place));
    // One thread reads all: none is started.
    return (await scanTranscripts({ files, workerPath: "", threads: 1 })).responses;
  },
  codex: (place) => {
    const { files } = findRollouts(codexRoots(place));
    return countRollouts(
      files.map(({ path }) => readRollout(path)).flatMap((one) => (one.ok ? [one.value] : [])),
    );
  },
  copilot: (place) => {
    const root = copilotRoot(place);
    const sessions = findEventFiles(root).files.map(({ path }) => readEvents(path));
    const store = readStore(copilotStore(root));
    return countCopilot(
      sessions.flatMap((one) => (one.ok ? [one.value] : [])),
      store.ok ? store.value.records : [],
    );
  },
  gemini: (place) => {
    const { files } = findGeminiSessions(geminiRoots(place));
    const sessions = files.map((file) => readChat(file)).flatMap((one) => (one.ok ? [one.value] : []));
    return countOnce(sessions.flatMap(({ records }) => records));
  },
};
