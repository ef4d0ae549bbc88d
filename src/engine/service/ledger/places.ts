import { claudeRoots } from "../../transcripts/claude/roots.ts";
import { codexRoots } from "../../transcripts/codex/roots.ts";
import { copilotRoot } from "../../transcripts/copilot/roots.ts";
import { geminiRoots } from "../../transcripts/gemini/roots.ts";
import type { HomeInput } from "../../base/disk/home.ts";

/** Folders in which agents may store what the ledger collects. They need not exist. */
export function ledgerPlaces(input: HomeInput): string[] {
  return [...claudeRoots(input), ...codexRoots(input), copilotRoot(input), ...geminiRoots(input)];
}
