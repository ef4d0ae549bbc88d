import { bounds, type OpenWork, type PacketLine, type ResumePacket } from "../packet/packet.ts";
import { scrub, scrubLine, scrubName } from "../../base/scrub.ts";
import { cleanLines } from "../../base/text.ts";
import type { PastEvent } from "../../transcripts/past.ts";
import { ActionReader, type PastAction } from "./past-action.ts";
import { askedText, firstWords } from "./prompt-text.ts";
import { Attempts, Errors } from "./attempts.ts";
import { Checks } from "./checks-run.ts";
import { decisionsIn } from "./decisions.ts";
import type { ReadLine } from "./read-line.ts";
import { TodoList } from "./todo-list.ts";
import { usualWeighing, WorkingFiles, type Weighing } from "./working-files.ts";

/** Facts about the session that its transcript does not contain. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly agent: string;
  /** The project's folder; null where unknown. */
  readonly folder: string | null;
  /** The session's branch from a better source than the transcript alone. Undefined if there is none. */
  readonly branch?: string | null;
  readonly commit: string | null;
}

export interface NamedBranch {
  /** Null if no branch was checked out. */
  readonly name: string | null;
  /** When it was first named after another one; null where unknown. Milliseconds since the epoch. */
  readonly since: number | null;
}

export interface StoryOptions {
  readonly readLine: ReadLine;
  /** Returns the project folder of a working folder, or the folder itself if there is none. */
  readonly rootOf: (folder: string) => string;
  readonly weighing?: Weighing;
}

/**
 * Beyond this the middle ones are dropped: the first prompt shows the subject, the newest the current work.
 */
const maxLines = bounds.lines;

/**
 * The events of a session's past, folded one by one in bounded memory. The same events give the same story.
 * From subagents it takes the files that they touched.
 */
export class Story {
  readonly #options: StoryOptions;
  readonly #actions: ActionReader;
  readonly #files: WorkingFiles;
  readonly #attempts = new Attempts();
  readonly #errors = new Errors();
  readonly #checks = new Checks();
  readonly #todos = new TodoList();
  #asked: PacketLine[] = [];
  #decisions: PacketLine[] = [];
  #done: PacketLine[] = [];
  #turns = 0;
  #compactions = 0;
  #summary: string | null = null;
  #reply: string | null = null;
  #model: string | null = null;
  #folder: string | null = null;
  #branch: NamedBranch | null = null;
  #at: number | null = null;

  constructor(options: StoryOptions) {
    this.#options = options;
    this.#actions = new ActionReader(options.readLine);
    this.#files = new WorkingFiles(options.weighing ?? usualWeighing);
  }

  get turns(): number {
    return this.#turns;
  }

  get compactions(): number {
    return this.#compactions;
  }

  /** The branch that was named last. Null if the transcript has none. */
  get branch(): NamedBranch | null {
    return this.#branch;
  }

  /** The working folder. Null before it is known. */
  get folder(): string | null {
    return this.#folder;
  }

  get summary(): string | null {
    return this.#summary;
  }

  get openTodos(): number {
    return this.#todos.open().length;
  }

  add(event: PastEvent): PastAction | null {
    this.#at = event.at === null ? this.#at : Math.max(event.at, this.#at ?? event.at);
    const action = this.#actions.read(event);
    if (event.agentId !== null) {
      if (action !== null) {
        this.#files.add(action, this.#turns, this.#root);
        this.#todos.addFromSubagent(action, this.#turns);
      }
      return action;
    }
    this.#folder = event.folder ?? this.#folder;
    if (event.branch !== null) this.#work(event.branch, event.at);
    switch (event.kind) {
      case "prompt":
        this.#ask(event.text);
        break;
      case "response":
        this.#model = event.model ?? this.#model;
        break;
      case "reply":
        this.#reply = event.text;
        break;
      case "compaction":
        this.#compactions += 1;
        this.#summary = null;
        break;
      case "summary":
        this.#summary = event.text;
        break;
      case "call":
      case "result":
        if (action !== null) this.#act(action);
        break;
      case "rewind":
        // Abandoned turns never reach this: see followed.ts.
        break;
    }
    return action;
  }

  packet({ sessionId, agent, folder, branch, commit }: SessionFacts): ResumePacket {
    return {
      version: 1,
      sessionId: sessionId.slice(0, bounds.name),
      agent: agent.slice(0, bounds.name),
      model: named(this.#model),
      folder: (folder ?? this.#root)?.slice(0, bounds.path) ?? null,
      branch: named(branchShown(branch === undefined ? (this.#branch?.name ?? null) : branch)),
      commit: named(commit),
      at: this.#at,
      turns: this.#turns,
      compactions: this.#compactions,
      asked: this.#asked,
      done: this.#done,
      open: this.#open(),
      decisions: this.#decisions,
      files: this.#files.best(bounds.files),
      deadEnds: this.#attempts.deadEnds().slice(-maxLines),
      conventions: this.#checks
        .usual()
        .map(({ command, kind, turn, times }) => ({ turn, times, text: `${kind}: ${command}` }))
        .slice(0, maxLines),
      errors: this.#errors.clusters().slice(-maxLines),
      lastReply: this.#reply === null ? null : shortened(this.#reply) || null,
    };
  }

  get #root(): string | null {
    return this.#folder === null ? null : this.#options.rootOf(this.#folder);
  }

  #work(branch: string, at: number | null): void {
    // Claude Code writes this if no branch is checked out.
    const name = branch === "HEAD" || branch === "" ? null : scrubName(branch);
    if (this.#branch?.name !== name) this.#branch = { name, since: at };
  }

  #ask(text: string): void {
    const words = askedText(text);
    if (words === null) return;
    // Before it is split into sentences: a secret may have several lines.
    const asked = scrub(cleanLines(words));
    this.#turns += 1;
    this.#asked = added(this.#asked, this.#turns, asked);
    for (const decision of decisionsIn(asked)) {
      const line = shortened(decision);
      this.#decisions = this.#decisions.filter((each) => each.text !== line);
      this.#decisions = added(this.#decisions, this.#turns, decision);
    }
  }

  #act(action: PastAction): void {
    const root = this.#root;
    this.#files.add(action, this.#turns, root);
    this.#attempts.add(action, this.#turns, root);
    this.#errors.add(action, this.#turns, root);
    this.#checks.add(action, this.#turns);
    for (const text of this.#todos.add(action, this.#turns)) this.#finish(text);
    const commit = action.outcome === "failed" ? null : (action.line?.commit ?? null);
    if (commit !== null) this.#finish(`Committed: ${commit}`);
  }

  #finish(text: string): void {
    this.#done = added(this.#done, this.#turns, text);
  }

  #open(): OpenWork[] {
    const todos = this.#todos.open().map(({ turn, text }): OpenWork => ({ turn, kind: "todo", text }));
    const failing = this.#checks.failing().map(({ turn, command, text }): OpenWork => ({
      turn,
      kind: "failing",
      text: shortened(text === "" ? command : `${command}: ${text}`),
    }));
    const unverified = this.#files.unverified;
    const named = unverified.slice(-maxNamedFiles).reverse().join(", ");
    const more = unverified.length > maxNamedFiles ? ` and ${unverified.length - maxNamedFiles} more` : "";
    const edits: OpenWork[] =
      unverified.length === 0
        ? []
        : [
            {
              turn: this.#turns,
              kind: "unverified",
              text: shortened(`Edited without a passed check: ${named}${more}`),
            },
          ];
    return [...failing, ...edits, ...todos].slice(0, maxLines);
  }
}

/** Unverified files that are named. */
const maxNamedFiles = 6;

function added(lines: readonly PacketLine[], turn: number, text: string): PacketLine[] {
  const line = shortened(text);
  if (line === "") return [...lines];
  const all = [...lines, { turn, text: line }];
  return all.length <= maxLines ? all : [...all.slice(0, 1), ...all.slice(2)];
}

function shortened(text: string): string {
  return firstWords(scrubLine(text, 8 * bounds.text), bounds.text);
}

const branchShown = (name: string | null): string | null => (name === null ? null : scrubName(name));

function named(name: string | null): string | null {
  return name?.slice(0, bounds.name) ?? null;
}
