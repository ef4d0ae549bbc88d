import { createInterface } from "node:readline";
import { t } from "../base/language.ts";
import type { CliHost } from "./cli-ports.ts";
import type { Command } from "./declaration.ts";
import { canAsk } from "./confirm.ts";

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
