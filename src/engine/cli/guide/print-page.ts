import path from "node:path";
import { textIfThere } from "../../base/disk/read-if-there.ts";
import { t } from "../../base/text/l10n.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { pageText } from "./page-text.ts";

/**
 * Prints a page of the guide; returns the exit code.
 *
 * @param command the command of the same name, if there is one; its options are in its own help
 */
export async function printPage(
  topic: string,
  command: string | null,
  host: Pick<CliHost, "env" | "guide" | "stderr" | "stdout">,
): Promise<number> {
  const file = path.join(host.guide, `${topic}.md`);
  const text = await textIfThere(file);
  if (text === null) {
    host.stderr.write(`purser: ${t("there is no {0}. Install purser again.", file)}\n`);
    return 1;
  }
  const more = command === null ? "" : `\n${t("Options: {0}", `purser ${command} --help`)}\n`;
  host.stdout.write(pageText(text, styleFor(host)) + more);
  return 0;
}
