import { t } from "../../base/language.ts";
import { cleanText, maskBearer, diffHunks } from "../../base/text.ts";
import type { HookChange } from "../../hooks/install.ts";

/** Like `diff -u`. Keeps the token off screens and logs. */
export function changeInLines({ settings, after, mode }: HookChange, token: string | null): string {
  const { file, target, bytes } = settings;
  const lines: string[] = [];
  if (target !== file) lines.push(t("{0} is a link to {1}", shown(file), shown(target)));
  lines.push(`--- ${bytes === null ? t("(no file)") : shown(target)}`);
  lines.push(`+++ ${after === null ? t("(no file)") : shown(target)}`);
  if (bytes !== null && after !== null && mode !== settings.mode)
    lines.push(t("mode {0} becomes {1}", octal(settings.mode), octal(mode)));
  for (const hunk of diffHunks(bytes?.toString("utf8") ?? "", after?.toString("utf8") ?? "")) {
    lines.push(`@@ -${hunk.oldLine} +${hunk.newLine} @@`);
    for (const { sign, text } of hunk.lines) lines.push(`${sign}${line(text, token)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** A user's file may contain anything. Keeps its indentation. */
function line(text: string, token: string | null): string {
  const indentation = /^[ \t]*/u.exec(text)?.[0] ?? "";
  const hidden = maskBearer(text, "token");
  return `${indentation}${shown(token === null ? hidden : hidden.replaceAll(token, t("(token)")))}`;
}

function shown(text: string): string {
  return cleanText(text);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
