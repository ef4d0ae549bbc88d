import { unbroken } from "./brief.ts";
import { Emitter, DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import type { ContextFill } from "../../engine/ledger/ledger-answers.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { ServiceConnection } from "../service/connection.ts";
import { shortNumber } from "../../engine/base/local-format.ts";
import { shareOut } from "../../engine/base/numbers.ts";
import type { ContextSnapshot } from "../../engine/sessions/session-requests.ts";
import type { Translate } from "../editor/describe-editor.ts";

interface FillPorts {
  readonly service: Pick<ServiceConnection, "ask" | "onChanged">;
  readonly sessions: {
    /** The session on the status bar, the only one with a visible bar. */
    readonly shown: SessionSnapshot | undefined;
    readonly onChange: (listener: () => void) => Disposable;
  };
}

/** The ledger reads a row somewhat later than the bar shows it. Milliseconds. */
const betweenRequests = 3000;

/** What fills the context of the session on the status bar. The ledger is asked after each of its turns. */
export class ContextFills implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #ports: FillPorts;
  readonly #owned = new DisposableList();
  readonly #request: LatestRequest;
  #known: { readonly id: string; readonly fill: ContextFill | null } | undefined;
  #asked = "";

  constructor(ports: FillPorts, interval = betweenRequests) {
    this.#ports = ports;
    this.#request = new LatestRequest(interval, (signal) => this.#ask(signal));
    this.#owned.add(this.#request);
    this.#owned.add(ports.sessions.onChange(() => this.#look()));
    this.#owned.add(ports.service.onChanged("ledgerChanged", () => this.#request.soon()));
  }

  /** Null if no transcript contains it, or before the next request after a compaction. */
  of({ id, lastCompaction }: SessionSnapshot): ContextFill | null {
    if (this.#known?.id !== id) return null;
    const { fill } = this.#known;
    return (fill?.at ?? 0) <= (lastCompaction?.at ?? -1) ? null : fill;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  #look(): void {
    const { shown } = this.#ports.sessions;
    const about = shown === undefined ? "" : `${shown.id} ${shown.turns}`;
    if (about === this.#asked) return;
    this.#asked = about;
    if (shown !== undefined) this.#request.soon();
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const id = this.#ports.sessions.shown?.id;
    if (id === undefined) return;
    const asked = await this.#ports.service.ask("contextFill", { asked: id }, signal);
    // A service without a ledger has no answer.
    const fill = asked.ok ? asked.value.answer : null;
    if (signal.aborted || JSON.stringify({ id, fill }) === JSON.stringify(this.#known)) return;
    this.#known = { id, fill };
    this.#changes.fire();
  }
}

/** What can fill a context, in the order of a request. */
const fillKinds = ["system", "tools", "memory", "files", "outputs", "prompts", "answers"] as const;
type FillKind = (typeof fillKinds)[number];

interface FillShare {
  readonly kind: FillKind;
  /** Estimated: the measured occupancy by its share of the characters. */
  readonly tokens: number;
}

/** The transcript's names of parts; results of tools are named after the tool. */
const kinds: Readonly<Record<string, FillKind>> = {
  system: "system",
  tools: "tools",
  "mcp-tools": "tools",
  memory: "memory",
  skills: "memory",
  "result:Read": "files",
  "result:NotebookRead": "files",
  user: "prompts",
  summary: "prompts",
  attachments: "prompts",
  assistant: "answers",
  thinking: "answers",
  "tool-calls": "answers",
};

/** Splits a measured occupancy by kind; the shares add up to it. Empty kinds are left out; null where nothing is known. */
export function sharesOf(
  { occupancy }: Pick<ContextSnapshot, "occupancy">,
  fill: ContextFill | null,
): FillShare[] | null {
  if (fill === null || occupancy.value === null) return null;
  const chars = new Map<FillKind, number>();
  for (const { name, chars: each } of fill.parts) {
    const kind = kinds[name] ?? (name.startsWith("result:") ? "outputs" : "prompts");
    chars.set(kind, (chars.get(kind) ?? 0) + each);
  }
  const present = fillKinds.filter((kind) => (chars.get(kind) ?? 0) > 0);
  if (present.length === 0) return null;
  const tokens = shareOut(
    Math.round(occupancy.value),
    present.map((kind) => chars.get(kind) ?? 0),
  );
  return present.map((kind, index) => ({ kind, tokens: tokens[index] ?? 0 }));
}

/** Width of the whole window. Spaces, of which a hover has room for about 130. */
const wholeWidth = 100;
const room = "scrollbarSlider-background";

/** The theme's colours, for which the editor's sanitizer lets a `span` through. */
const colours: Readonly<Record<FillKind, string>> = {
  system: "descriptionForeground",
  tools: "charts-blue",
  memory: "charts-green",
  files: "charts-yellow",
  outputs: "terminal-ansiCyan",
  prompts: "charts-foreground",
  answers: "charts-purple",
};

const names: Readonly<Record<FillKind, (t: Translate) => string>> = {
  system: (t) => t("System"),
  tools: (t) => t("Tools"),
  memory: (t) => t("Memory"),
  files: (t) => t("Files"),
  outputs: (t) => t("Tool output"),
  prompts: (t) => t("Prompts"),
  answers: (t) => t("Agent output"),
};

/**
 * What fills a context, as a bar in the theme's colours over its legend, in Markdown with HTML. The bar is as
 * wide as the context window; without a known window there is none. Use of unknown kinds is one part.
 */
export function fillBar(context: ContextSnapshot, fill: ContextFill | null, t: Translate): string[] {
  const { occupancy, window } = context;
  if (occupancy.value === null || window.value === null || window.value <= 0) return [];
  const used = Math.round(occupancy.value);
  const free = Math.max(0, Math.round(window.value) - used);
  const shares = sharesOf(context, fill) ?? [{ kind: null, tokens: used }];
  const widths = shareOut(wholeWidth, [...shares.map(({ tokens }) => tokens), free]);
  const bar = [...shares.map(({ kind }) => colourOf(kind)), room].map((colour, index) =>
    block(colour, widths[index] ?? 0),
  );
  const legend = shares.map(
    ({ kind, tokens }) =>
      `${square(colourOf(kind))}\u00a0${kind === null ? t("In use") : unbroken(names[kind](t))}\u00a0${shares.length > 1 ? "~" : ""}${shortNumber(tokens)}`,
  );
  return [
    bar.join(""),
    [...legend, `${square(room)}\u00a0${t("Free")}\u00a0${shortNumber(free)}`].join("&ensp; "),
  ];
}

function colourOf(kind: FillKind | null): string {
  return kind === null ? "charts-blue" : colours[kind];
}

function block(colour: string, width: number): string {
  return width === 0
    ? ""
    : `<span style="background-color:var(--vscode-${colour});">${"&nbsp;".repeat(width)}</span>`;
}

function square(colour: string): string {
  return `<span style="color:var(--vscode-${colour});">■</span>`;
}
