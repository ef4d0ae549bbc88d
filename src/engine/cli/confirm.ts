import { sentence, plural, t } from "../base/language.ts";
import { createInterface } from "node:readline";
import { wholeNumber } from "../base/local-format.ts";
import { humanOutput } from "./answer.ts";
import { type ParsedOptions, usageError } from "./args.ts";
import type { CliHost } from "./cli-ports.ts";
import type { Command } from "./declaration.ts";

/**
 * For commands that an editor runs in a new terminal, with `PURSER_HOLD_OPEN` set. It closes when the command ends, so wait until the output was
 * read.
 */
export function keepTerminalOpen(command: Command): Command {
  const run = async (argv: readonly string[], host: CliHost): Promise<number> => {
    const code = await command.run(argv, host);
    if ((host.env["PURSER_HOLD_OPEN"] ?? "") === "" || !canAsk(host)) return code;
    if (!host.signal.aborted) await held(host);
    // The user has read how it ended. The editor reports any other code as a crash.
    return 0;
  };
  return { ...command, run };
}

async function held({ stdin, stdout, signal }: CliHost): Promise<void> {
  if (stdin === undefined) return;
  stdout.write(`\n${t("Press Enter to close this terminal.")} `);
  const lines = createInterface({ input: stdin() });
  try {
    await new Promise<void>((resolve) => {
      lines.once("line", () => resolve());
      lines.once("close", () => resolve());
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    lines.close();
  }
}

export function canAsk({ stdin, stdout }: CliHost): boolean {
  return stdout.isTTY === true && stdin?.().isTTY === true;
}

/** Another answer, after which the question is asked again. */
interface More {
  readonly key: string;
  readonly does: string;
  readonly show: () => void;
}

/** Anything but a yes is a no, also an interruption. `enter` is what Enter alone means. */
export async function confirmed(
  question: string,
  { stdin, stdout, signal }: CliHost,
  enter: "yes" | "no" = "no",
  more?: More,
): Promise<boolean> {
  if (stdin === undefined) return false;
  // Answers are English in every language, so what to type is, too.
  const others = more === undefined ? "" : `, ${more.key}: ${more.does}`;
  const ask = () => void stdout.write(`${question} (${enter === "yes" ? "Y/n" : "y/N"}${others}) `);
  ask();
  const lines = createInterface({ input: stdin() });
  try {
    return await new Promise<boolean>((resolve) => {
      lines.on("line", (answer) => {
        if (more === undefined || answer.trim() !== more.key) {
          resolve(/^y(?:es)?$/iu.test(answer.trim() || enter));
          return;
        }
        more.show();
        ask();
      });
      lines.once("close", () => resolve(false));
      signal.addEventListener("abort", () => resolve(false), { once: true });
    });
  } finally {
    lines.close();
  }
}

/** Enter is enough for free runs. Null for yes, else the exit code. Does not ask with `--yes`, or if nothing is left to run. */
export async function agreedToRuns(
  {
    command,
    runs,
    isMaxRuns: isMost = false,
    isFree,
  }: {
    readonly command: string;
    readonly runs: number;
    /** Whether fewer may be enough. */
    readonly isMaxRuns?: boolean;
    readonly isFree: boolean;
  },
  options: ParsedOptions,
  host: CliHost,
): Promise<number | null> {
  if (runs === 0 || options.has("yes")) return null;
  const output = humanOutput({ options, host });
  const count = wholeNumber(runs);
  const what = isMost
    ? plural(runs, t("up to 1 run"), t("up to {0} runs", count))
    : plural(runs, t("1 run"), t("{0} runs", count));
  if (!canAsk(output))
    return usageError(
      command,
      sentence("this would start {0}, and there is no terminal to ask in; --yes starts without asking", what),
      host,
    );
  if (await confirmed(t("Start {0}?", what), output, isFree ? "yes" : "no")) return null;
  return host.signal.aborted ? 130 : 1;
}
