import { inLanguage } from "../base/text/in-language.ts";
import { t } from "../base/text/l10n.ts";
import type { CliHost } from "./cli-ports.ts";

/**
 * Prints on one line what is wrong with a command's usage, and where its help is; returns the exit code.
 *
 * @param command empty for `purser` itself
 */
export function usageError(command: string, detail: string, { stderr }: Pick<CliHost, "stderr">): number {
  const name = command === "" ? "purser" : `purser ${command}`;
  const words = inLanguage(detail);
  const sentence = `${words}${/[.?。？]$/u.test(words) ? "" : t(".")}`;
  stderr.write(`${name}: ${t("{0} See {1}.", sentence, `${name} --help`)}\n`);
  return 2;
}
