import { readFileSync, statSync } from "node:fs";
import type { Clock } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";
import {
  readGuardSettings,
  settled,
  type GuardSettings,
  type ToldGuardSettings,
} from "../guard/guard-settings.ts";
import { writePrivateFile } from "./private-place.ts";
import type { PurserHome } from "./purser-home.ts";

export interface SettingsPorts {
  readonly home: Pick<PurserHome, "settings" | "windowSettings">;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/** Files are looked at again after this time. Milliseconds. */
const lookInterval = 1000;
/** No settings need more. Bytes. */
const largest = 64 * 1024;

interface Held {
  readonly stamp: string;
  readonly settings: ToldGuardSettings;
}
const nothing: Held = { stamp: "", settings: {} };

/**
 * The settings that the service follows for agents, wherever they were started: what the user wrote into `settings.json`, and
 * before that what the user of a window set in the editor. That is kept in a file too: agents go on when windows are closed.
 */
export class SettingsKeeper {
  readonly #ports: SettingsPorts;
  #own = nothing;
  #windows = nothing;
  #settled: GuardSettings = settled();
  #lookedAt = -Infinity;

  constructor(ports: SettingsPorts) {
    this.#ports = ports;
  }

  /** As they hold at this moment. */
  readonly now = (): GuardSettings => {
    const { clock, home } = this.#ports;
    const now = clock.now();
    if (Math.abs(now - this.#lookedAt) < lookInterval) return this.#settled;
    this.#lookedAt = now;
    const [own, windows] = [
      this.#look(home.settings, this.#own),
      this.#look(home.windowSettings, this.#windows),
    ];
    if (own !== this.#own || windows !== this.#windows)
      this.#settled = settled(own.settings, windows.settings);
    this.#own = own;
    this.#windows = windows;
    return this.#settled;
  };

  /** What the user of a window set in the editor, all of it: what is not among it is as the file says. */
  tell(told: unknown): void {
    const { home, onProblem } = this.#ports;
    const { settings, problems } = readGuardSettings(told);
    for (const problem of problems) onProblem(`A window's settings: ${problem}`);
    this.now();
    if (JSON.stringify(settings) === JSON.stringify(this.#windows.settings)) return;
    try {
      writePrivateFile(home.windowSettings, `${JSON.stringify(settings, null, 2)}\n`);
    } catch (error) {
      onProblem(`${home.windowSettings}: ${errorCode(error)}`);
    }
    this.#windows = { stamp: stampOf(home.windowSettings), settings };
    this.#settled = settled(this.#own.settings, settings);
  }

  #look(file: string, held: Held): Held {
    const stamp = stampOf(file);
    if (stamp === held.stamp) return held;
    const { settings, problems } = read(file);
    for (const problem of problems) this.#ports.onProblem(`${file}: ${problem}`);
    return { stamp, settings };
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

function read(file: string): ReturnType<typeof readGuardSettings> {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > largest)
      return { settings: {}, problems: ["it is no settings file"] };
    return readGuardSettings(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError)
      return { settings: {}, problems: ["it is no JSON; nothing of it holds"] };
    return errorCode(error) === "ENOENT"
      ? { settings: {}, problems: [] }
      : { settings: {}, problems: [errorCode(error)] };
  }
}
