import { type Sentence, inWords, t } from "../base/language.ts";
import type { CliHost } from "./cli-ports.ts";

/** Returns the exit code. `command` is empty for `purser` itself. */
export function usageError(command: string, detail: Sentence, { stderr }: Pick<CliHost, "stderr">): number {
  const name = command === "" ? "purser" : `purser ${command}`;
  const words = inWords(detail);
  const whole = `${words}${/[.?。？]$/u.test(words) ? "" : t(".")}`;
  stderr.write(`${name}: ${t("{0} See {1}.", whole, `${name} --help`)}\n`);
  return 2;
}
