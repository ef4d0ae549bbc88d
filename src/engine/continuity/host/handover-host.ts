import path from "node:path";
import { sha256Hex } from "../../base/hash.ts";
import type { Clock } from "../../base/timing.ts";
import { Emitter } from "../../base/events.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { ensurePrivateFolder, writePrivateFile } from "../../base/private-files.ts";
import { readSmallText } from "../../base/files.ts";
import type { HandoverDraft, HandoverGap, HandoverView } from "../continuity-answers.ts";
import { withCard, type HandoverCard } from "../handover/card.ts";
import { documentFileName, fileHashOf, findDocument, maxDocumentSize } from "../handover/file-name.ts";
import { gapId, gapOf } from "../handover/gap.ts";
import { handedText } from "../compaction/describe-compaction.ts";
import type { WorkItem } from "../compaction/lost.ts";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";
import * as z from "zod/mini";
import { nameOfWork, writeHandover, unattendedPacket } from "../handover/document.ts";
import {
  readGitState,
  type GitPorts,
  type GitState,
  branchText,
  changesSince,
  isInRepository,
  isSameBranch,
  isSamePlace,
  shortCommit,
  withStaleness,
} from "../handover/git-state.ts";
import { handoverId, handoverIn, isHandoverId } from "../handover/identity.ts";
import { withImprovement } from "../handover/improvement.ts";
import type { UnattendedWork } from "../handover.ts";
import type { ResumePacket } from "../packet/packet.ts";
import { renderPacket } from "../packet/render.ts";
import type { HandoverRow } from "../../ledger/continuity-questions.ts";
import { agentNames } from "../../transcripts/agents.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { HandoverRecords, type RecordPorts, viewOf } from "./handover-records.ts";
import { sentence } from "../../base/language.ts";

export interface SessionWork {
  readonly packet: ResumePacket;
  readonly packetText: string;
  /** The agent's own summary from the last compaction. Null if there was none. */
  readonly summary: string | null;
  /** Tokens that the session's next call carries. Null if unknown. */
  readonly carried: number | null;
  /** The folder that it works in, or was last. */
  readonly folder: string | null;
}

export interface HandoverPorts extends GitPorts {
  readonly home: Pick<PurserPaths, "folder" | "handovers">;
  readonly clock: Clock;
  readonly ledger: RecordPorts["ledger"];
  readonly workOf: (session: string) => Promise<SessionWork | null>;
  /** The session whose work was offered at this session's start. Null for none. */
  readonly offeredTo: (session: string) => string | null;
  /** The first prompt of a session. Null while unknown. */
  readonly firstPromptOf: (session: string) => Promise<string | null>;
  readonly settings: Pick<SettingsStore, "of" | "now">;
  readonly isThere: (path: string) => boolean;
  /** Returns the facts of a session up to now. Null for an unknown session. */
  readonly packetOf: (session: string) => Promise<ResumePacket | null>;
  /** Sends facts at a session's next prompt, once, and lists the ids of those that wait for it. */
  readonly putBack: {
    readonly choose: (session: string, source: string, items: readonly WorkItem[]) => void;
    readonly waiting: (session: string, source: string) => readonly string[];
  };
  /** Whether hooks report a session, and can add to its prompts. */
  readonly isReached: (session: string) => boolean;
  readonly memory: Pick<SessionMemory, "part">;
  /** Random hexadecimal digits. */
  readonly unique: () => string;
  readonly onProblem: (message: string) => void;
}

/**
 * Maximum time until a started agent's session is known (milliseconds), and maximum sessions that are
 * checked.
 */
const [waitFor, maxSessions] = [3_600_000, 100];
/** Two windows may start the same document at once. A person who starts it again takes longer. Milliseconds. */
const oneStart = 5000;

const itemIds = z.readonly(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(1000)));

/** Writes the documents that hand a session's work over, and follows what becomes of them. */
export class Handovers {
  readonly #changes = new Emitter<readonly HandoverView[]>();
  readonly onChange = this.#changes.on;
  readonly #ports: HandoverPorts;
  readonly #records: HandoverRecords;
  /** Sessions with a first prompt that was checked. */
  readonly #known = new Set<string>();
  /** Documents that are being written, by session: a second window gets the same one. */
  readonly #making = new Map<string, Promise<Result<{ draft: HandoverDraft }>>>();
  /** The newest document of a session, and the work that it is about. */
  readonly #newest = new Map<string, { readonly id: string; readonly work: string }>();

  /** Ids of facts that were put back, by the session that got them. */
  readonly #putBack: PerSession<readonly string[]>;

  constructor(ports: HandoverPorts) {
    this.#ports = ports;
    this.#putBack = ports.memory.part("handover-put-back", { schema: itemIds, empty: [] });
    this.#records = new HandoverRecords({
      ledger: ports.ledger,
      now: () => ports.clock.now(),
      onChange: () => void this.#tell(),
    });
  }

  async list(): Promise<Result<{ handovers: readonly HandoverView[] }>> {
    const rows = await this.#records.all();
    return rows.ok ? succeed({ handovers: rows.value.map(viewOf) }) : rows;
  }

  /**
   * Writes the document of a session, or opens the one that a person may be editing if the session did nothing since.
   * Takes it at once if the reader was offered this work at its start.
   * @param reader the session that prints it
   * @param unattended what is known about the work of a session started by a schedule
   */
  async make(
    session: string,
    reader?: string,
    unattended?: UnattendedWork,
  ): Promise<Result<{ draft: HandoverDraft }>> {
    if (reader !== undefined || unattended !== undefined)
      return await this.#make(session, reader, unattended);
    const making = this.#making.get(session) ?? this.#make(session);
    this.#making.set(session, making);
    try {
      return await making;
    } finally {
      this.#making.delete(session);
    }
  }

  async #make(
    session: string,
    reader?: string,
    unattended?: UnattendedWork,
  ): Promise<Result<{ draft: HandoverDraft }>> {
    const { clock, workOf, unique, home } = this.#ports;
    const work = await workOf(session);
    if (work === null)
      return fail(
        "no_such_session",
        sentence("nothing is known of the session {0}", JSON.stringify(session.slice(0, 100))),
      );
    const { summary, carried } = work;
    const packet = unattended === undefined ? work.packet : unattendedPacket(work.packet, unattended);
    const packetText = unattended === undefined ? work.packetText : renderPacket(packet).text;
    const { folder } = work;
    const git = folder === null ? null : await readGitState(folder, this.#ports);
    const about = sha256Hex(JSON.stringify([packet, summary, git]));
    const isForPerson = reader === undefined && unattended === undefined;
    const open = isForPerson ? await this.#unused(packet.sessionId, about) : null;
    if (open !== null) return succeed({ draft: open });
    const [id, madeAt] = [handoverId(unique()), clock.now()];
    const agent = agentNames.of(packet.agent);
    // The person may have checked out another branch since the session worked.
    const isThere = git === null || !isInRepository(packet) || isSamePlace(git, packet);
    const input = {
      id,
      agent,
      packet,
      packetText,
      summary: packet.compactions > 0 ? summary : null,
      folder,
      git,
      madeAt,
      carried,
      isUnattended: unattended !== undefined,
    };
    const { text: written, tokens } = writeHandover(input);
    const isTaken = (name: string) => this.#ports.isThere(path.join(home.handovers, name));
    const name = documentFileName({ name: nameOfWork(input), at: madeAt }, isTaken);
    const file = path.join(home.handovers, name);
    const stampNow = { branch: packet.branch, commit: packet.commit, fingerprint: null };
    const changed = changesSince(stampNow, git);
    const text = withStaleness(written, changed);
    const kept = this.#write(file, text);
    if (!kept.ok) return kept;
    const isRead = reader !== undefined && this.#ports.offeredTo(reader) === packet.sessionId;
    const row: HandoverRow = {
      id,
      sessionId: packet.sessionId,
      program: packet.agent,
      at: madeAt,
      folder,
      branch: isInRepository(packet) ? packet.branch : (git?.branch ?? null),
      headCommit: isThere && git !== null ? git.commit : packet.commit,
      changes: isThere ? (git?.fingerprint ?? null) : null,
      carriedTokens: carried === null ? null : Math.round(carried),
      documentTokens: tokens,
      state: isRead ? "taken" : changed.length > 0 ? "out_of_date" : "made",
      toProgram: null,
      startedAt: null,
      toSession: isRead ? reader : null,
      takenAt: isRead ? madeAt : null,
      fileHash: fileHashOf(file),
    };
    const stored = await this.#records.put(row);
    if (!stored.ok) return stored;
    if (isForPerson) this.#newest.set(packet.sessionId, { id, work: about });
    return succeed({ draft: draftOf(row, { file, text, changed }) });
  }

  /** The document about the same work that no agent was started with. Null for none. */
  async #unused(session: string, work: string): Promise<HandoverDraft | null> {
    const newest = this.#newest.get(session);
    if (newest?.work !== work) return null;
    const opened = await this.#open(newest.id);
    if (!opened.ok) return null;
    const { row, draft } = opened.value;
    return row.startedAt === null && row.toSession === null ? draft : null;
  }

  /** Writes a person's changes to the parts of a document. */
  async write(id: string, card: HandoverCard): Promise<Result<{ draft: HandoverDraft }>> {
    return await this.#change(id, (text) => withCard(text, card));
  }

  /** Reads a document again, and marks in it whether it is out of date. */
  async open(id: string): Promise<Result<{ draft: HandoverDraft }>> {
    const opened = await this.#open(id);
    return opened.ok ? succeed({ draft: opened.value.draft }) : opened;
  }

  /**
   * Reads a document for the one call that summarizes it. The model is the user's choice; null if the
   * user allows no model.
   */
  async toImprove(
    id: string,
  ): Promise<Result<{ document: string; model: string | null; models: Readonly<Record<string, unknown>> }>> {
    const opened = await this.#open(id);
    if (!opened.ok) return opened;
    const { text, folder } = opened.value.draft;
    return succeed({
      document: text,
      model: this.summingModel,
      models: this.#ports.settings.of(folder).models,
    });
  }

  get summingModel(): string | null {
    const model = this.#ports.settings.now().continuityImproveWith.trim();
    return model === "" ? null : model;
  }

  async improve(id: string, section: string): Promise<Result<{ draft: HandoverDraft }>> {
    return await this.#change(id, (text) => withImprovement(text, section));
  }

  async #change(id: string, changed: (text: string) => string): Promise<Result<{ draft: HandoverDraft }>> {
    const opened = await this.#open(id);
    if (!opened.ok) return opened;
    const { draft } = opened.value;
    if (!isPlain(draft.text))
      return fail(
        "unwritable",
        sentence("{0} was written by another program, in an encoding that is not ours", draft.file),
      );
    const text = changed(draft.text);
    const written = text === draft.text ? succeed(undefined) : this.#write(draft.file, text);
    return written.ok ? succeed({ draft: { ...draft, text } }) : written;
  }

  async start(id: string, to: string): Promise<Result<{ draft: HandoverDraft }>> {
    const opened = await this.#open(id);
    if (!opened.ok) return opened;
    const { row, git, draft } = opened.value;
    if (row.folder === null)
      return fail(
        "no_folder",
        sentence("the folder of the session is not known; begin the agent yourself with {0}", draft.file),
      );
    if (!this.#ports.isThere(row.folder))
      return fail(
        "no_folder",
        sentence("the folder {0} is gone; open {1} to read what was done there", row.folder, draft.file),
      );
    const now = this.#ports.clock.now();
    if (row.toSession === null && row.startedAt !== null && now - row.startedAt < oneStart)
      return fail(
        "started_already",
        sentence("an agent was started with it a moment ago, perhaps from another window"),
      );
    const place = { branch: row.branch, commit: row.headCommit };
    if (git !== null && isInRepository(place) && !isSameBranch(git.branch, row.branch))
      return fail(
        "other_branch",
        row.branch === null
          ? sentence(
              "the work is on no branch, at the commit {0}, and {1} has {2} checked out; check out the commit, then start again",
              shortCommit(row.headCommit),
              row.folder,
              branchText(git.branch),
            )
          : sentence(
              "the work is on the branch {0}, and {1} has {2} checked out; check out the first, then start again",
              row.branch,
              row.folder,
              branchText(git.branch),
            ),
      );
    const started = { ...row, toProgram: to, startedAt: now };
    const stored = await this.#records.put(started);
    return stored.ok ? succeed({ draft: draftOf(started, draft) }) : stored;
  }

  async gap(id: string): Promise<Result<{ gap: HandoverGap | null }>> {
    const found = await this.#gapOf(id);
    if (!found.ok || found.value === null) return found.ok ? succeed({ gap: null }) : found;
    const { items, successor } = found.value;
    const done = new Set(this.#putBack.of(successor));
    const waiting = new Set(this.#ports.putBack.waiting(successor, gapId(id)));
    const backOf = (item: string) => (waiting.has(item) ? "chosen" : done.has(item) ? "given" : null);
    return succeed({
      gap: {
        items: items.map((item) => ({ ...item, back: backOf(item.id) })),
        isReached: this.#ports.isReached(successor),
      },
    });
  }

  async putBack(id: string, ids: readonly string[]): Promise<Result<{ text: string | null }>> {
    const found = await this.#gapOf(id);
    if (!found.ok) return found;
    if (found.value === null)
      return fail("not_taken", sentence("no session has begun with the handover {0} yet", id));
    const { items, successor } = found.value;
    const chosen = items.filter((item) => ids.includes(item.id));
    this.#putBack.set(successor, [
      ...new Set([...this.#putBack.of(successor), ...chosen.map((item) => item.id)]),
    ]);
    if (!this.#ports.isReached(successor)) return succeed({ text: handedText(chosen)?.text ?? null });
    this.#ports.putBack.choose(successor, gapId(id), chosen);
    return succeed({ text: null });
  }

  /** Null while no session has begun with the document. A document that is gone said nothing. */
  async #gapOf(
    id: string,
  ): Promise<Result<{ readonly items: readonly WorkItem[]; readonly successor: string } | null>> {
    const found = isHandoverId(id) ? await this.#records.find(id) : succeed(null);
    if (!found.ok) return found;
    const row = found.value;
    const successor = row?.toSession ?? null;
    if (row === null || successor === null) return succeed(null);
    const [before, after] = await Promise.all([
      this.#ports.packetOf(row.sessionId),
      this.#ports.packetOf(successor),
    ]);
    if (before === null)
      return fail("no_such_session", sentence("nothing is known of the session {0} any more", row.sessionId));
    const file = findDocument(this.#ports.home.handovers, row);
    const document = file === null ? null : readSmallText(file, maxDocumentSize);
    const items = gapOf({ before, after, document: document ?? "" });
    return succeed({ items, successor });
  }

  /** Recognises the session that a document was handed to, by its prompt. */
  async noteSession(session: {
    readonly id: string;
    readonly program: string;
    readonly prompt: string;
  }): Promise<void> {
    const id = handoverIn(session.prompt);
    if (id === null) return;
    const found = await this.#records.find(id);
    if (!found.ok) {
      this.#ports.onProblem(`Who took the handover ${id} is not recorded: ${found.detail.text}`);
      return;
    }
    const row = found.value;
    if (row?.toSession !== null || row.sessionId === session.id) return;
    const taken: HandoverRow = {
      ...row,
      state: "taken",
      toProgram: session.program,
      toSession: session.id,
      takenAt: this.#ports.clock.now(),
    };
    const stored = await this.#records.put(taken);
    if (!stored.ok)
      this.#ports.onProblem(`Who took the handover ${id} is not recorded: ${stored.detail.text}`);
  }

  get isWaiting(): boolean {
    return this.#waitingSince !== null;
  }

  async lookForSuccessors(): Promise<void> {
    const since = this.#waitingSince;
    if (since === null) return;
    const asked = await this.#ports.ledger.ask("sessions", { since, limit: maxSessions });
    if (!asked.ok) return;
    for (const { id, program, firstAt } of asked.value) {
      if (program === null || (firstAt ?? since) < since || this.#known.has(id)) continue;
      const prompt = await this.#ports.firstPromptOf(id);
      // It may be written a moment later.
      if (prompt === null) continue;
      this.#known.add(id);
      await this.noteSession({ id, program, prompt });
    }
  }

  /**
   * Creation time of the oldest document with a recently started agent. Null for none. Milliseconds since the
   * epoch.
   */
  get #waitingSince(): number | null {
    const after = this.#ports.clock.now() - waitFor;
    const startTimes = this.#records.waiting.flatMap(({ startedAt }) =>
      startedAt === null || startedAt < after ? [] : [startedAt],
    );
    return startTimes.length === 0 ? null : Math.min(...startTimes);
  }

  async #open(id: string): Promise<Result<{ row: HandoverRow; git: GitState | null; draft: HandoverDraft }>> {
    const found = isHandoverId(id) ? await this.#records.find(id) : succeed(null);
    if (!found.ok) return found;
    const row = found.value;
    if (row === null)
      return fail(
        "no_document",
        sentence("there is no handover {0} of the last 30 days", JSON.stringify(id.slice(0, 40))),
      );
    const { handovers } = this.#ports.home;
    const file = findDocument(handovers, row);
    if (file === null)
      return fail(
        "no_document",
        sentence("the document of the handover {0} is gone from {1}", id, handovers),
      );
    const text = readSmallText(file, maxDocumentSize);
    if (text === null) return fail("no_document", sentence("{0} is gone, or cannot be read", file));
    const git = row.folder === null ? null : await readGitState(row.folder, this.#ports);
    if (text.trim() === "") return fail("no_document", sentence("{0} is empty", file));
    const stamp = { branch: row.branch, commit: row.headCommit, fingerprint: row.changes };
    const changed = row.toSession === null ? changesSince(stamp, git) : [];
    const marked = isPlain(text) ? withStaleness(text, changed) : text;
    if (marked !== text) {
      const written = this.#write(file, marked);
      if (!written.ok) return written;
    }
    const state = row.state === "taken" ? "taken" : changed.length > 0 ? "out_of_date" : "made";
    const now: HandoverRow = { ...row, state };
    if (state !== row.state) {
      const stored = await this.#records.put(now);
      if (!stored.ok) return stored;
    }
    return succeed({ row: now, git, draft: draftOf(now, { file, text: marked, changed }) });
  }

  #write(file: string, text: string): Result<unknown> {
    const { home } = this.#ports;
    for (const folder of [home.folder, home.handovers]) {
      const place = ensurePrivateFolder(folder);
      if (!place.ok) return place;
    }
    try {
      writePrivateFile(file, text);
      return succeed(undefined);
    } catch (error) {
      return fail("unwritable", sentence("{0} cannot be written ({1})", file, errorCode(error)));
    }
  }

  async #tell(): Promise<void> {
    const listed = await this.list();
    if (listed.ok) this.#changes.fire(listed.value.handovers);
  }
}

/**
 * Whether decoding and encoding a file gives the same bytes. Writing again would damage a file in another
 * encoding.
 */
function isPlain(text: string): boolean {
  return !/[\u0000\uFFFD]/u.test(text);
}

function draftOf(
  row: HandoverRow,
  { file, text, changed }: Pick<HandoverDraft, "file" | "text" | "changed">,
): HandoverDraft {
  return { ...viewOf(row), headCommit: row.headCommit, file, text, changed };
}
