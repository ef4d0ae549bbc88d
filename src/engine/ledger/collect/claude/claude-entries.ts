import { isObject } from "../../../base/parse.ts";
import { scrubStart } from "../../../base/scrub.ts";
import type { ResponseEvent, RowReading, TranscriptEvent } from "../../../transcripts/agent-session.ts";
import {
  readSubagentMeta,
  readRowValue,
  objectAt,
  textAt,
  type RowObject,
  isInterruption,
  readOrigin,
  readReplyDetails,
  readSurrounding,
  readToolResults,
  type ReplyDetails,
  readBlobRow,
  readRequestRow,
  readShapeRow,
} from "../../../transcripts/claude.ts";
import { parseJsonLine } from "../../../transcripts/file-tail.ts";
import { startsAgain } from "../../../transcripts/records.ts";
import { asksForLongWindow } from "../../../usage/catalogue.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import { ClaudeFills } from "./fills.ts";
import { ClaudeResponses } from "./responses.ts";
import { ClaudeRuns, unknownSurroundings, withSurrounding, type Surroundings } from "./runs.ts";
import { ClaudeSession } from "./session-metadata.ts";
import { readState, writeState } from "./claude-state.ts";
import { ClaudeTools } from "./tools.ts";
import { mainAgentId } from "../../store/run-conditions.ts";
import type { EntryFile, EntryReader } from "../collect-source.ts";
import { idOrNull, nameOrNull } from "../fitting.ts";

/**
 * Row types from which only the time is used. Recognized by their first bytes, without parsing: some rows are large.
 */
const quietTypes: ReadonlySet<string> = new Set([
  "atis-latch",
  "file-history-delta",
  "file-history-snapshot",
  "host-row",
  "last-prompt",
  "queue-operation",
  "repl-mode",
  "tools-used",
]);
const quietStart = `{"type":"`;
/** Characters of a row's start that contain its type. */
const startLength = 40;

/** Whether a line holds nothing to collect. */
function isQuiet(line: Buffer): boolean {
  // The "y" of `{"type"`: most rows begin with another member.
  if (line[3] !== 0x79) return false;
  const start = line.toString("latin1", 0, startLength);
  return (
    start.startsWith(quietStart) && quietTypes.has(start.slice(quietStart.length).split('"', 1)[0] ?? "")
  );
}

/**
 * Reads one Claude Code transcript: a session's main file, or a subagent's.
 *
 * @param state of an earlier reader of the same file, to resume after its lines; null starts over
 */
export function claudeEntries(file: EntryFile, state: string | null): EntryReader {
  return new ClaudeEntries(file, state);
}

type KnownReading = Extract<RowReading, { outcome: "known" }>;

/** A row in the context of its file's conversation. */
interface Row {
  readonly value: RowObject;
  readonly reading: KnownReading;
  /** Written in this session, not copied from its parent. */
  readonly isOwn: boolean;
  /** Part of the file's own conversation, not of an aside. */
  readonly isConversation: boolean;
}

class ClaudeEntries implements EntryReader {
  readonly #file: EntryFile;
  readonly #responses: ClaudeResponses;
  readonly #session: ClaudeSession;
  readonly #tools: ClaudeTools;
  readonly #runs: ClaudeRuns;
  readonly #fills: ClaudeFills;
  #bornAt: number | null;
  #mainModel: string | null;
  #sideModel: string | null;
  #isLongContext: boolean;
  #compactions: number;
  #known: Surroundings;
  #entries: LedgerEntry[] = [];
  #lastSubagent = "";

  constructor(file: EntryFile, text: string | null) {
    const state = readState(text);
    this.#file = file;
    this.#responses = new ClaudeResponses(file);
    this.#session = new ClaudeSession(file, state?.session ?? null);
    this.#tools = new ClaudeTools(file, state?.tools ?? null);
    this.#runs = new ClaudeRuns(file, state?.runs ?? null);
    this.#fills = new ClaudeFills(file, state?.fills ?? null);
    this.#bornAt = state?.bornAt ?? null;
    this.#mainModel = state?.mainModel ?? null;
    this.#sideModel = state?.sideModel ?? null;
    this.#isLongContext = state?.isLongContext ?? false;
    this.#compactions = state?.compactions ?? 0;
    this.#known = state?.known ?? unknownSurroundings;
  }

  line(line: Buffer): boolean {
    // The first row's time is needed, whatever the row.
    const isTimed = this.#file.agentId !== null || this.#bornAt !== null;
    if (isTimed && isQuiet(line) && !startsAgain(line, "claude")) return true;
    const value = parsedRow(line);
    if (value === null) return false;
    const reading = readRowValue(value, this.#file);
    if (reading.outcome === "known") this.#read(value, reading);
    return true;
  }

  /** The line's contents are unknown: the state that fills depend on is dropped, and runs continue without the line. */
  oversized(): void {
    this.#fills.forget();
  }

  take(): LedgerEntry[] {
    const meta = this.#file.agentId === null ? null : readSubagentMeta(this.#file.path);
    if (meta?.finished === true) this.#runs.finished();
    const runs = this.#runs.take(meta);
    const entries = [
      ...this.#session.take(),
      ...this.#subagent(meta?.description ?? null),
      ...this.#entries,
      ...runs,
    ];
    this.#entries = [];
    this.#tools.markTaken();
    this.#responses.markTaken();
    return entries;
  }

  state(): string {
    return writeState({
      version: 1,
      bornAt: this.#bornAt,
      mainModel: this.#mainModel,
      sideModel: this.#sideModel,
      isLongContext: this.#isLongContext,
      compactions: this.#compactions,
      known: this.#known,
      session: this.#session.state(),
      tools: this.#tools.state(),
      runs: this.#runs.state(),
      fills: this.#fills.state(),
    });
  }

  #read(value: RowObject, reading: KnownReading): void {
    const { at } = reading;
    if (this.#file.agentId === null) this.#bornAt ??= at;
    const origin = readOrigin(value);
    if (origin !== null) this.#session.forkedFrom(origin);
    const isAnothers =
      (origin ?? this.#file.sessionId) !== this.#file.sessionId || isObject(value["forkedFrom"]);
    const isOwn = !isAnothers && !this.#isBeforeFile(at);
    if (isOwn && at !== null) this.#session.seen(at);
    const isConversation = this.#file.agentId !== null || !reading.isSidechain;
    const row: Row = { value, reading, isOwn, isConversation };
    if (isConversation) for (const event of reading.events) this.#note(event);
    this.#readTyped(row);
  }

  #readTyped(row: Row): void {
    switch (row.value["type"]) {
      case "assistant":
        this.#reply(row, row.value);
        break;
      case "progress":
        // A subagent's row nested in a row of its parent: it does not belong to the parent's own conversation.
        this.#reply(row, objectAt(objectAt(row.value, "data"), "message") ?? row.value);
        break;
      case "user":
        this.#user(row);
        break;
      case "system":
        this.#compacted(row);
        break;
      case "attachment":
        if (row.isConversation && row.isOwn) this.#surrounding(row);
        break;
      case "agent-setting":
        this.#agentSetting(row.value);
        break;
      case "api-request":
      case "api-request-shape":
      case "api-request-blob":
        this.#request(row);
    }
  }

  #note(event: TranscriptEvent): void {
    if (event.kind === "place") this.#session.setFolder(event.cwd, event.branch);
    else if (event.kind === "title") this.#session.titled(event.title);
    else if (event.kind === "official-total") this.#session.cost(event.usd);
    else if (event.kind === "model") this.#isLongContext ||= asksForLongWindow(event.requestedModel);
    else if (event.kind === "request")
      this.#isLongContext ||= event.betas.some((beta) => beta.startsWith("context-1m"));
  }

  /** @param inner the row with the message: the row itself, or one nested in it */
  #reply({ value, reading, isOwn, isConversation }: Row, inner: RowObject): void {
    const details = readReplyDetails(inner);
    const [event, ...others] = reading.events.filter((each) => each.kind === "response");
    const { at } = reading;
    const reply = {
      at,
      uuid: textAt(value, "uuid"),
      cwd: textAt(value, "cwd"),
      branch: textAt(value, "gitBranch"),
      hasText: details.hasText,
      agentType: details.agentType,
      endsTurn: event?.endsTurn === true,
    };
    if (event === undefined) {
      if (details.isError && isOwn && isConversation)
        this.#runs.replied({ ...reply, response: null }, this.#known);
      return;
    }
    const { response } = event;
    const isCopy = event.isCopy || this.#isBeforeFile(response.at);
    this.#entries.push(...this.#responses.read({ ...event, isCopy }, reply.branch));
    if (response.isSidechain) this.#sideModel = nameOrNull(response.model);
    else this.#mainModel = nameOrNull(response.model);
    const isInConversation = this.#file.agentId !== null || !response.isSidechain;
    if (isInConversation) this.#answer(event, details, isCopy);
    for (const other of others)
      this.#entries.push(...this.#responses.read({ ...other, isCopy }, reply.branch));
    const counts = isInConversation && !isCopy && this.#runs.replied({ ...reply, response }, this.#known);
    if (counts) for (const other of others) this.#runs.used(other.response);
    for (const call of details.calls) {
      const isNew = !this.#tools.knows(call.id);
      const about = { at: response.at, messageId: response.messageId, isOwn: !isCopy };
      this.#entries.push(...this.#tools.called(call, about));
      if (counts && isNew) this.#runs.called(call.reads);
    }
  }

  #answer(
    { response: { messageId } }: ResponseEvent,
    { requestRef, parts }: ReplyDetails,
    isCopy: boolean,
  ): void {
    if (isCopy) this.#runs.copied();
    if (requestRef !== null)
      this.#entries.push(...this.#fills.replied(requestRef, { messageId, parts, isOwn: !isCopy }));
  }

  #user({ value, reading, isOwn, isConversation }: Row): void {
    const results = readToolResults(value);
    for (const result of results) {
      this.#entries.push(...this.#tools.returned(result));
      const subagentId = idOrNull(result.subagent?.id ?? "");
      if (isOwn && subagentId !== null) this.#addSubagent(subagentId, result.subagent?.type ?? null);
    }
    if (!isOwn || !isConversation) return;
    if (results.length > 0) this.#runs.returned();
    if (isInterruption(value)) {
      this.#runs.interrupted();
      return;
    }
    for (const event of reading.events) {
      // A background subagent returns its result to the run that started it, so that run continues.
      if (event.kind === "notification") this.#runs.returned();
      if (event.kind !== "prompt") continue;
      this.#runs.prompted(event.at, event.text.length);
      this.#session.prompted(event.text);
    }
  }

  #compacted({ value, reading, isOwn, isConversation }: Row): void {
    for (const event of reading.events) {
      if (event.kind !== "compaction") continue;
      if (isConversation) this.#fills.compacted();
      if (!isOwn) continue;
      this.#compactions += 1;
      const { sessionId, agentId } = this.#file;
      const own = textAt(value, "uuid") ?? `compaction-${this.#compactions}`;
      const id = idOrNull(`${sessionId}${agentId === null ? "" : `#${agentId}`}:${own}`);
      if (id === null) continue;
      const { isSidechain } = reading;
      const model = isSidechain ? this.#sideModel : this.#mainModel;
      const longContext = this.#isLongContext || (model !== null && asksForLongWindow(model));
      const common = { id, sessionId, agentId, isSidechain, model, longContext };
      this.#entries.push({ kind: "compaction", ...common, ...event.compaction });
    }
  }

  #surrounding({ value, reading }: Row): void {
    const surrounding = readSurrounding(value);
    if (surrounding?.kind === "queued-prompt") this.#runs.queued(reading.at, surrounding.chars);
    else if (surrounding !== null) this.#known = withSurrounding(this.#known, surrounding);
  }

  #request({ value, reading }: Row): void {
    const { type } = value;
    if (type === "api-request-shape") {
      const shape = readShapeRow(value);
      if (shape !== null) this.#fills.shape(shape);
    } else if (type === "api-request-blob") {
      const blob = readBlobRow(value, (callId) => this.#tools.toolOf(callId));
      if (blob !== null) this.#fills.blob(blob);
    } else {
      const request = readRequestRow(value);
      if (request !== null) this.#entries.push(...this.#fills.requested(request, reading.at));
    }
  }

  #subagent(description: string | null): LedgerEntry[] {
    const { sessionId, agentId } = this.#file;
    if (agentId === null) return [];
    const type = nameOrNull(this.#runs.agentType);
    const entry: LedgerEntry = {
      kind: "subagent",
      sessionId,
      agentId,
      type,
      description:
        description === null
          ? null
          : scrubStart(description, 10 * maxDescriptionLength).slice(0, maxDescriptionLength),
    };
    const written = JSON.stringify(entry);
    if (written === this.#lastSubagent) return [];
    this.#lastSubagent = written;
    return [entry];
  }

  /** A fork copies the row of its parent, and has its own. */
  #agentSetting(value: RowObject): void {
    const { sessionId, agentId } = this.#file;
    const agent = nameOrNull(textAt(value, "agentSetting"));
    if (agentId !== null || agent === null || agent === "") return;
    if ((textAt(value, "sessionId") ?? sessionId) !== sessionId) return;
    this.#runs.named(agent);
    this.#addSubagent(mainAgentId, agent);
  }

  #addSubagent(agentId: string, type: string | null): void {
    const { sessionId } = this.#file;
    this.#entries.push({ kind: "subagent", sessionId, agentId, type: nameOrNull(type) });
  }

  /**
   * Older versions do not mark the rows a fork copies, but a file's first row is newer than the history copied into it.
   */
  #isBeforeFile(at: number | null): boolean {
    return this.#file.agentId === null && at !== null && this.#bornAt !== null && at < this.#bornAt;
  }
}

/** Characters. */
const maxDescriptionLength = 200;

function parsedRow(line: Buffer): RowObject | null {
  const parsed = parseJsonLine(line);
  return parsed.kind === "value" && isObject(parsed.value) ? parsed.value : null;
}
