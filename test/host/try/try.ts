/**
 * `npm run try`: plays a recorded Claude Code session in a scratch workspace and shows it in a real VS Code. `npm run
 * try -- --once [--screenshot FILE]` does it without a person: prints every status line it saw in the editor, writes a
 * screenshot, and exits; with `--packed` it uses the extension as last packed. With `--sample` it opens
 * the sample instead.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { outFolder, repository } from "../repository.ts";
import { tryInDesktop, desktopEditor } from "./desktop.ts";
import { tryInBrowser } from "./browser.ts";
import { tryOnce } from "./once.ts";
import { lookAtSample } from "./look-at-sample.ts";
import { playForPerson, sampleEnv, showSample } from "./play.ts";
import { Unavailable } from "../unavailable.ts";

const usage = "Use: npm run try [-- [--sample] [--once [--packed] [--screenshot FILE]]]";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") {
    console.error(`${options}\n${usage}`);
    return 2;
  }
  try {
    if (!options.packed) await pack();
    if (options.once) {
      const once = options.sample ? lookAtSample : tryOnce;
      return await once(options.screenshot, stop.signal);
    }
    const shown = options.sample ? { show: showSample, env: sampleEnv } : { show: playForPerson, env: {} };
    const code = await desktopEditor();
    await (code === undefined ? tryInBrowser(stop.signal, shown) : tryInDesktop(code, stop.signal, shown));
    return 0;
  } catch (error) {
    // Ctrl-C is a person's normal way to end it, but a failure in a run without a person.
    if (stop.signal.aborted) return options.once ? 130 : 0;
    // On a loaded machine something may come too late; the sentence says what.
    const isExpected = error instanceof Unavailable || (options.once && error instanceof Error);
    if (!isExpected) throw error;
    console.error(error.message);
    if (!(error instanceof Unavailable)) console.error("It may have been too slow here: run it again.");
    return 1;
  }
}

interface Options {
  readonly once: boolean;
  readonly packed: boolean;
  /** Opens the sample instead of playing a session. */
  readonly sample: boolean;
  readonly screenshot: string;
}

function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        once: { type: "boolean" },
        packed: { type: "boolean" },
        sample: { type: "boolean" },
        screenshot: { type: "string" },
      },
    });
    const screenshot =
      values.screenshot === undefined ? join(outFolder, "try.png") : resolve(values.screenshot);
    const { once = false, packed = false, sample = false } = values;
    return { once, packed, sample, screenshot };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Builds and packs the extension, so that what is tried is what would be installed. */
async function pack(): Promise<void> {
  console.log("Building and packing the extension…");
  const script = join(repository, "scripts", "build", "package.mjs");
  const ran = await execa(process.execPath, [script], {
    cwd: repository,
    all: true,
    reject: false,
    stdin: "ignore",
  });
  if (ran.failed) throw new Unavailable(ran.all);
}
