import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { TestContext } from "node:test";
import { SessionReader } from "../../../../src/engine/sessions/live/reader.ts";
import type { LiveAgent } from "../../../../src/engine/sessions/live/live-agents.ts";
import { snapshotSession, type SessionSnapshot } from "../../../../src/engine/sessions/snapshot.ts";
import { defaultContextSettings } from "../../../../src/engine/settings/contexts.ts";
import type { SessionFile } from "../../../../src/engine/transcripts/live-reader.ts";
import { liveReader } from "../../../../src/engine/transcripts/vscode-chat/live-reader.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { start } from "./written-chat.ts";

/** A `User` folder of VS Code, with one window's storage, and purser following its chats. */
export class FollowedChats {
  readonly root: string;
  readonly folder = path.resolve("/home/dev/harbor");
  readonly agent: LiveAgent;
  readonly #readers = new Map<string, SessionReader>();

  constructor(test: TestContext) {
    this.root = path.join(scratchFolder(test), "User");
    mkdirSync(this.storage(), { recursive: true });
    writeFileSync(
      this.storage("workspace.json"),
      JSON.stringify({ folder: pathToFileURL(this.folder).href }),
    );
    const roots = [this.root];
    this.agent = {
      name: "vscode-chat",
      roots,
      reader: liveReader,
      finder: liveReader.finder(roots, () => false),
    };
  }

  /** A path in the storage of the window with a folder. */
  storage(...parts: readonly string[]): string {
    return path.join(this.root, "workspaceStorage", "0a1b", ...parts);
  }

  chat(id: string): string {
    return this.storage("chatSessions", `${id}.jsonl`);
  }

  find(since = 0): readonly SessionFile[] {
    return this.agent.finder.find(since).files;
  }

  /** Follows a session to the end of its files. */
  reader(id: string): SessionReader {
    const reader = this.#readers.get(id) ?? new SessionReader(id, this.agent);
    this.#readers.set(id, reader);
    for (const file of this.find()) if (file.sessionId === id) reader.addFile(file);
    while (reader.read().more);
    return reader;
  }

  snapshot(id: string): SessionSnapshot {
    const { account, transcript, subagentTranscripts } = this.reader(id);
    return snapshotSession({
      agent: this.agent,
      account,
      transcript,
      subagentTranscripts,
      folder: null,
      live: true,
      now: start + 60_000,
      settings: defaultContextSettings,
      catalogue: builtInCatalogue,
      config: liveReader.settings({ env: {}, root: null, cwd: null, model: null }),
      learned: new Map(),
      previous: undefined,
    });
  }
}
