import { LiveRows } from "../../../../src/engine/transcripts/claude/claude-session-finder.ts";
import { builtInCatalogue, type Catalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { withOverrides } from "../../../../src/engine/usage/catalogue/catalogue-overrides.ts";
import { unsetAgentSettings } from "../../../../src/engine/transcripts/live-reader.ts";
import { SessionAccount } from "../../../../src/engine/sessions/live/account.ts";
import { defaultContextSettings } from "../../../../src/engine/settings/contexts.ts";
import {
  snapshotSession,
  type SessionSnapshot,
  type SnapshotInput,
} from "../../../../src/engine/sessions/snapshot.ts";
import { claudeAgent } from "./live-agent.ts";
import { at, sessionId, type Row } from "./rows.ts";

function newAccount(): SessionAccount {
  return new SessionAccount(sessionId, claudeAgent.reader.cacheLife);
}

export function accountOf(rows: readonly Row[]): SessionAccount {
  const account = newAccount();
  applyRows(account, rows);
  return account;
}

/** Applies rows of the main file, or of a subagent's, to the account. */
export function applyRows(
  account: SessionAccount,
  rows: readonly Row[],
  agentId: string | null = null,
): void {
  const reader = new LiveRows(account.id, agentId);
  for (const row of rows) account.apply(reader.read(Buffer.from(JSON.stringify(row))), agentId);
}

/** A session's snapshot; by default live, one hour in, with the built-in catalogue. */
export function describeSession(
  reported: SessionAccount | readonly Row[],
  input: Partial<SnapshotInput> = {},
): SessionSnapshot {
  return snapshotSession({
    agent: claudeAgent,
    account: reported instanceof SessionAccount ? reported : accountOf(reported),
    transcript: `/transcripts/${sessionId}.jsonl`,
    folder: null,
    subagentTranscripts: new Map(),
    live: true,
    now: at(60),
    settings: defaultContextSettings,
    catalogue: builtInCatalogue,
    config: unsetAgentSettings,
    learned: new Map(),
    previous: undefined,
    ...input,
  });
}

/** The built-in catalogue with a user's `purser.models` overrides. */
export function catalogueWith(models: Readonly<Record<string, unknown>>): Catalogue {
  return withOverrides(builtInCatalogue, models).catalogue;
}
