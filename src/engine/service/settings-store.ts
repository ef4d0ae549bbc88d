import { readFileSync, statSync } from "node:fs";
import { parse, printParseErrorCode, type ParseError } from "jsonc-parser";
import type { Clock } from "../base/timing/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { errorCode } from "../base/error-code.ts";
import { isAmong, namesOf, placesOf } from "../context/place.ts";
import type { FileProblem } from "../transcripts/claude/files.ts";
import { writePrivateFile } from "../base/disk/private-place.ts";
import type { PurserHome } from "../base/disk/home.ts";
import { settingsFor } from "../settings/precedence.ts";
import { readSettings, type Settings, type ToldSettings } from "../settings/shape.ts";
import { readWindowFile, windowFileText, withWindow, type WindowLayer } from "../settings/window-file.ts";
import type { WindowSettings } from "../settings/editor-window.ts";

export interface SettingsPorts {
  readonly home: Pick<PurserHome, "settings" | "windowSettings">;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/** Files are looked at again after this time. Milliseconds. */
const lookInterval = 1000;
/** No settings need more. Bytes. */
const largest = { own: 64 * 1024, windows: 4 * 1024 * 1024 };
/** Sessions work in far fewer places. */
const mostPlaces = 2000;

/** A file as it was read last. */
interface Held<Content> {
  readonly stamp: string;
  readonly content: Content;
  /** What of it does not hold, and why. */
  readonly problems: readonly string[];
}

/**
 * The settings that hold for agents, wherever they were started: what the user wrote into `settings.json`, and before that what the
 * users of windows set in their editors. That is kept in a file too, since agents go on when windows are closed, and terminals look at
 * it where no service runs.
 */
export class SettingsKeeper implements Disposable {
  readonly #ports: SettingsPorts;
  readonly #changes = new Emitter<void>();
  /** Other settings may hold now. */
  readonly onChange = this.#changes.on;
  #own: Held<ToldSettings> = { stamp: "", content: {}, problems: [] };
  #windows: Held<readonly WindowLayer[]> = { stamp: "", content: [], problems: [] };
  /** By where a session began: to find out which folders that is in touches the disk. */
  readonly #settled = new Map<string | null, Settings>();
  /** The same settings are the same object, wherever they hold: who looks reckons with each once. */
  readonly #different = new Map<string, Settings>();
  /** What folders are called that have settings of their own. */
  readonly #names = new Map<string, readonly string[]>();
  #lookedAt = -Infinity;

  constructor(ports: SettingsPorts) {
    this.#ports = ports;
  }

  /** As they hold at this moment where no folder has its own. */
  readonly now = (): Settings => this.of(null);

  /** As they hold at this moment for a session. @param place where it began; null where that is not known */
  readonly of = (place: string | null): Settings => {
    this.#look();
    const known = this.#settled.get(place);
    if (known !== undefined) return known;
    const { platform } = this.#ports;
    const places = place === null ? [] : placesOf(place, { platform });
    const found = settingsFor({ own: this.#own.content, editors: this.#windows.content }, (folder) =>
      isAmong(places, this.#namesOf(folder), { platform }),
    );
    const text = JSON.stringify(found);
    const settled = this.#different.get(text) ?? found;
    this.#different.set(text, settled);
    if (this.#settled.size >= mostPlaces) this.#settled.clear();
    this.#settled.set(place, settled);
    return settled;
  };

  /** What is wrong with the files at this moment. */
  readonly problems = (): FileProblem[] => {
    this.#look();
    const { settings, windowSettings } = this.#ports.home;
    const at = (path: string, { problems }: Held<unknown>) => problems.map((reason) => ({ path, reason }));
    return [...at(settings, this.#own), ...at(windowSettings, this.#windows)];
  };

  /** What a window's user set in the editor, all of it. */
  tell(told: WindowSettings): void {
    const { home, clock, onProblem } = this.#ports;
    this.#look();
    const { layers, problems } = withWindow(this.#windows.content, told, clock.now());
    for (const problem of problems) onProblem(`A window's settings: ${problem}`);
    if (layers === this.#windows.content) return;
    try {
      writePrivateFile(home.windowSettings, windowFileText(layers));
    } catch (error) {
      onProblem(`${home.windowSettings}: ${errorCode(error)}`);
    }
    this.#windows = { stamp: stampOf(home.windowSettings), content: layers, problems: [] };
    this.#changed();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #look(): void {
    const { clock, home } = this.#ports;
    const now = clock.now();
    if (Math.abs(now - this.#lookedAt) < lookInterval) return;
    this.#lookedAt = now;
    const [own, windows] = [this.#own, this.#windows];
    this.#own = this.#read(home.settings, own, (value) => {
      const { settings, problems } = readSettings(value ?? {});
      return { content: settings, problems };
    });
    this.#windows = this.#read(home.windowSettings, windows, (value) => {
      const { layers, problems } = readWindowFile(value ?? {});
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
    door: (value: unknown) => { content: Content; problems: readonly string[] },
  ): Held<Content> {
    const stamp = stampOf(file);
    if (stamp === held.stamp) return held;
    const { home } = this.#ports;
    const { value, why } = valueIn(file, file === home.settings ? largest.own : largest.windows);
    const read = door(value);
    const problems = [...why, ...read.problems];
    for (const problem of problems) this.#ports.onProblem(`${file}: ${problem}`);
    return { stamp, content: read.content, problems };
  }
}

/** Empty where there is no file. */
function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return [mtimeMs, size, ino].join(" ");
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "" : errorCode(error);
  }
}

/** Undefined where nothing of a file holds, and why where it should. */
function valueIn(file: string, most: number): { readonly value: unknown; readonly why: readonly string[] } {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > most) return { value: undefined, why: ["it is no settings file"] };
    const text = readFileSync(file, "utf8").replace(/^\uFEFF/u, "");
    const errors: ParseError[] = [];
    // Editors take files of this name for JSON with comments, and say nothing of a comma too many.
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined) return { value, why: [] };
    const line = text.slice(0, first.offset).split("\n").length;
    const what = printParseErrorCode(first.error);
    return { value: undefined, why: [`line ${line} is no JSON (${what}); nothing of the file holds`] };
  } catch (error) {
    return { value: undefined, why: errorCode(error) === "ENOENT" ? [] : [errorCode(error)] };
  }
}
