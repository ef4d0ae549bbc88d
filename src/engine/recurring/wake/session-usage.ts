import { type ProgramPlaces, isProcessAlive } from "../../base/process.ts";
import { handoverAgents, type HandoverWord } from "../../continuity/handover.ts";
import { agentOf } from "../../transcripts/agents.ts";
import { FileTail } from "../../transcripts/file-tail.ts";
import type { LiveReader, SessionFile } from "../../transcripts/live-reader.ts";
import { type ApiResponse, ResponseSet } from "../../usage/api-response.ts";

/** Without repeats, from the program's own files. */
export interface SpentResponses {
  readonly responses: readonly ApiResponse[];
  /** Of the main chain. */
  readonly turns: number;
}

/** Maximum difference between clocks of files and of responses. Milliseconds. */
const slack = 2000;

export interface SessionFiles extends Pick<ProgramPlaces, "env"> {
  readonly home: string;
}

export async function hasSession(word: HandoverWord, id: string, places: SessionFiles): Promise<boolean> {
  const { liveReader, roots } = agentOf(handoverAgents[word].name);
  if (/[/\\]/u.test(id)) return false;
  return (await (await liveReader()).transcriptOf(id, roots(places))) !== undefined;
}

/** Such as a person's terminal. If two processes continue one session, a branch is lost. */
export async function isSessionOpen(
  word: HandoverWord,
  id: string,
  places: SessionFiles,
  now: number,
): Promise<boolean> {
  const { liveReader, roots } = agentOf(handoverAgents[word].name);
  const finder = (await liveReader()).finder(roots(places), isProcessAlive);
  return finder.find(now - slack).running.has(id);
}

export async function openSessionUsage(
  word: HandoverWord,
  since: number,
  places: SessionFiles,
): Promise<SessionUsage> {
  const { liveReader, roots } = agentOf(handoverAgents[word].name);
  return new SessionUsage(await liveReader(), roots(places), since);
}

/** What a session uses from a time on. */
export class SessionUsage {
  readonly #finder: ReturnType<LiveReader["finder"]>;
  readonly #since: number;
  readonly #reads = new Map<string, () => void>();
  readonly #set = new ResponseSet<ApiResponse>();
  readonly #sidechains = new Set<string>();

  constructor(reader: LiveReader, roots: readonly string[], since: number) {
    this.#finder = reader.finder(roots, () => true, true);
    this.#since = since;
  }

  /** Reads new rows, including those of subagents. */
  read(sessionId: string): SpentResponses {
    for (const file of this.#finder.find(this.#since - slack).files)
      if (file.sessionId === sessionId && !this.#reads.has(file.path))
        this.#reads.set(file.path, this.#readerOf(file));
    for (const read of this.#reads.values()) read();
    const responses = [...this.#set.responses()];
    return { responses, turns: responses.filter(({ messageId }) => !this.#sidechains.has(messageId)).length };
  }

  #readerOf(file: SessionFile): () => void {
    if (file.kind === "whole") {
      const reader = file.open();
      return () => {
        for (const reading of reader.read())
          if (reading.outcome === "known") this.#take(reading.events, file.agentId !== null);
      };
    }
    const rows = file.open();
    const tail = new FileTail(file.path, {
      // Lines that are read again do no harm: a response counts once, however often it is seen.
      onRestart: () => undefined,
      onOversized: () => undefined,
      onLine: (line) => {
        const reading = rows.read(line);
        if (reading.outcome === "known")
          this.#take(
            reading.events,
            file.agentId !== null || reading.isSidechain || reading.agentId !== undefined,
          );
        return reading.outcome !== "malformed";
      },
    });
    return () => void tail.poll(Infinity);
  }

  #take(
    events: Extract<
      ReturnType<ReturnType<Extract<SessionFile, { kind: "lines" }>["open"]>["read"]>,
      { outcome: "known" }
    >["events"],
    isSidechain: boolean,
  ): void {
    for (const event of events) {
      if (event.kind !== "response" || event.isCopy) continue;
      const { response } = event;
      if (response.at === null || response.at < this.#since) continue;
      this.#set.add(response);
      if (isSidechain || response.isSidechain) this.#sidechains.add(response.messageId);
    }
  }
}
