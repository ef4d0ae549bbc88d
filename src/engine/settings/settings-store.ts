import { compose, sentence, type Sentence } from "../base/language.ts";
import { type FileProblem, errorCode } from "../base/result.ts";
import { readFileSync, statSync } from "node:fs";
import { parse, printParseErrorCode, type ParseError } from "jsonc-parser";
import type { Clock } from "../base/timing.ts";
import { Emitter, type Disposable } from "../base/events.ts";
import { type PurserPaths, isAmong, namesOf, sessionPaths } from "../base/paths.ts";

import { writePrivateFile } from "../base/private-files.ts";
import { problemFor, settingsFor, type SettingsSources } from "./precedence.ts";
import { readSettings, unreadable, type Settings, type PartialSettings } from "./shape.ts";
import { readWindowFile, windowFileText, withWindow, type WindowLayer } from "./window-file.ts";
import type { WindowSettings } from "./editor-window.ts";

export interface SettingsPorts {
  readonly home: Pick<PurserPaths, "settings" | "windowSettings">;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly onProblem: (message: Sentence) => void;
}

/** Minimum time between two checks of the files. Milliseconds. */
const lookInterval = 1000;
/** Larger settings files are rejected. Bytes. */
const maxFileSize = { own: 64 * 1024, windows: 4 * 1024 * 1024 };
/** Far more than sessions use. */
const maxPlaces = 2000;

interface Held<Content> {
  readonly stamp: string;
  readonly content: Content;
  /** Invalid parts, and why. */
  readonly problems: readonly Sentence[];
}

/**
 * The user's `settings.json`, overridden by what users of windows set in their editors. Those are also stored in a file, since agents continue after
 * windows are closed, and terminals read it without a service.
 */
export class SettingsStore implements Disposable {
  readonly #ports: SettingsPorts;
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  #own: Held<PartialSettings> = { stamp: "", content: {}, problems: [] };
  #windows: Held<readonly WindowLayer[]> = { stamp: "", content: [], problems: [] };
  /** By a session's starting folder, as resolving it touches the disk. */
  readonly #settled = new Map<string | null, Settings>();
  /** Interned by content: equal settings are the same object everywhere, so that each is evaluated once. */
  readonly #different = new Map<string, Settings>();
  readonly #names = new Map<string, readonly string[]>();
  /** By editor and workspace. Windows report them again after a restart. */
  readonly #windowProblems = new Map<string, readonly Sentence[]>();
  #lookedAt = -Infinity;

  constructor(ports: SettingsPorts) {
    this.#ports = ports;
  }

  /** Outside of folders with their own settings. */
  readonly now = (): Settings => this.of(null);

  /** `folder` is where the session started; null if unknown. */
  readonly of = (folder: string | null): Settings => {
    this.#refresh();
    const known = this.#settled.get(folder);
    if (known !== undefined) return known;
    const found = settingsFor(this.#sources, this.#membership(folder));
    const text = JSON.stringify(found);
    const settled = this.#different.get(text) ?? found;
    this.#different.set(text, settled);
    if (this.#settled.size >= maxPlaces) this.#settled.clear();
    this.#settled.set(folder, settled);
    return settled;
  };

  /** Current problems in the files. */
  readonly problems = (): FileProblem[] => {
    this.#refresh();
    const { settings, windowSettings } = this.#ports.home;
    const problemsOf = (path: string, { problems }: Held<unknown>) =>
      problems.map((reason) => ({ path, reason }));
    return [
      ...problemsOf(settings, this.#own),
      ...problemsOf(windowSettings, this.#windows),
      ...[...this.#windowProblems.values()].flat().map((reason) => ({ path: windowSettings, reason })),
      ...this.#orderProblems(),
    ];
  };

  get #sources(): SettingsSources {
    return { own: this.#own.content, editors: this.#windows.content };
  }

  #membership(folder: string | null): (other: string) => boolean {
    const { platform } = this.#ports;
    const paths = folder === null ? [] : sessionPaths(folder, { platform });
    return (other) => isAmong(paths, this.#namesOf(other), { platform });
  }

  /** Values that are valid alone but not together, outside of all folders and in each folder with its own settings. */
  #orderProblems(): FileProblem[] {
    const { settings, windowSettings } = this.#ports.home;
    const folders = new Set([null, ...this.#windows.content.map(({ folder }) => folder)]);
    const found = new Map<string, FileProblem>();
    for (const folder of folders) {
      const reason = problemFor(this.#sources, this.#membership(folder));
      const isOwn = problemFor({ own: this.#own.content, editors: [] }, () => false)?.text === reason?.text;
      if (reason !== undefined && !found.has(reason.text))
        found.set(reason.text, { path: isOwn ? settings : windowSettings, reason });
    }
    return [...found.values()];
  }

  setWindowSettings(settings: WindowSettings): void {
    const { home, clock, onProblem } = this.#ports;
    this.#refresh();
    const { layers, problems } = withWindow(this.#windows.content, settings, clock.now());
    for (const problem of problems) onProblem(compose`A window's settings: ${problem}`);
    const ofWindow = JSON.stringify([settings.editor, settings.workspace]);
    if (problems.length === 0) this.#windowProblems.delete(ofWindow);
    else this.#windowProblems.set(ofWindow, [...new Map(problems.map((each) => [each.text, each])).values()]);
    if (layers === this.#windows.content) return;
    try {
      writePrivateFile(home.windowSettings, windowFileText(layers));
    } catch (error) {
      onProblem(compose`${home.windowSettings}: ${errorCode(error)}`);
    }
    this.#windows = { stamp: stampOf(home.windowSettings), content: layers, problems: [] };
    this.#changed();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #refresh(): void {
    const { clock, home } = this.#ports;
    const now = clock.now();
    if (Math.abs(now - this.#lookedAt) < lookInterval) return;
    this.#lookedAt = now;
    const [own, windows] = [this.#own, this.#windows];
    this.#own = this.#read(home.settings, own, (value) => {
      const { settings, problems } = readSettings(value);
      return { content: settings, problems };
    });
    this.#windows = this.#read(home.windowSettings, windows, (value) => {
      const { layers, problems } = readWindowFile(value);
      return { content: layers, problems };
    });
    if (own !== this.#own || windows !== this.#windows) this.#changed();
  }

  #namesOf(folder: string): readonly string[] {
    const known = this.#names.get(folder) ?? namesOf(folder, this.#ports);
    this.#names.set(folder, known);
    return known;
  }

  #changed(): void {
    for (const held of [this.#settled, this.#different, this.#names]) held.clear();
    this.#changes.fire();
  }

  #read<Content>(
    file: string,
    held: Held<Content>,
    door: (value: unknown) => { content: Content; problems: readonly Sentence[] },
  ): Held<Content> {
    const stamp = stampOf(file);
    if (stamp === held.stamp) return held;
    const { home } = this.#ports;
    const { value, why } = valueIn(file, file === home.settings ? maxFileSize.own : maxFileSize.windows);
    const read = door(value);
    const problems = why.length > 0 ? why : read.problems;
    for (const problem of problems) this.#ports.onProblem(compose`${file}: ${problem}`);
    return { stamp, content: read.content, problems };
  }
}

/** There cannot be a file if its folder is not a folder. */
function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error));
}

/** Empty for a missing file. */
function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return [mtimeMs, size, ino].join(" ");
  } catch (error) {
    return isMissing(error) ? "" : errorCode(error);
  }
}

/** Empty for a missing file. An unusable one has the reason. */
function valueIn(
  file: string,
  maxSize: number,
): { readonly value: unknown; readonly why: readonly Sentence[] } {
  const unusable = (reason: string | Sentence) => ({
    value: unreadable,
    why: [
      sentence(
        "{reason}; nothing of the file holds, and until it is corrected, guard rules on safety, secrets and protected files are on",
        { reason },
      ),
    ],
  });
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > maxSize) return unusable(sentence("it is no settings file"));
    const text = readFileSync(file, "utf8").replace(/^\uFEFF/u, "");
    const errors: ParseError[] = [];
    // Editors treat files of this name as JSON with comments, and accept trailing commas.
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined) return { value, why: [] };
    const line = text.slice(0, first.offset).split("\n").length;
    const what = printParseErrorCode(first.error);
    return unusable(sentence("line {0} is no JSON ({1})", line, what));
  } catch (error) {
    return isMissing(error) ? { value: {}, why: [] } : unusable(errorCode(error));
  }
}
