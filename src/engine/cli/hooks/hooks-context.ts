import {
  type FailureWish,
  type InstallContext,
  installContext as worldAt,
  onFailureOf,
  type HookChange,
} from "../../hooks/install.ts";
import { ensureService } from "../../service/ensure.ts";
import { readHookServerAddress, type HookServerAddress } from "../../hooks/server.ts";
import { briefRunner } from "../../base/process.ts";
import { purserPaths } from "../../base/paths.ts";
import type { Settings } from "../../settings/shape.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "../service/service-access.ts";
import { settingsStore } from "../settings-access.ts";
import { asLine } from "../terminal-text.ts";
import { t } from "../../base/language.ts";
import { cleanText, maskBearer, diffHunks } from "../../base/text.ts";

export function installContext(
  host: CliHost,
  cwd: string,
  address: HookServerAddress | null,
): InstallContext {
  const { env, home, service, run = briefRunner(env) } = host;
  return worldAt({ env, home, program: service.program, cwd, ...wishesAt(host), run }, address);
}

/** How the user wants hooks to be installed. */
export function wishesAt(
  host: CliHost,
): Pick<InstallContext, "posting"> & { readonly onFailure: FailureWish } {
  const store = settingsStore(host, (message) => void host.stderr.write(`${asLine(message)}\n`));
  return { posting: store.now().hookPosting, onFailure: onFailureOf(store) };
}

export function settingsAt(host: CliHost): Settings {
  return settingsStore(host, (message) => void host.stderr.write(`${asLine(message)}\n`)).now();
}

/** `isBegun`: start the service if none has answered hooks here yet. */
export async function hookAddress(host: CliHost, isBegun: boolean): Promise<HookServerAddress | null> {
  const known = readHookServerAddress(purserPaths(host));
  if (!known.ok) return null;
  if (known.value !== null || !isBegun) return known.value;
  const client = await ensureService({ ...servicePorts(host), signal: host.signal });
  if (!client.ok) return null;
  client.value.dispose();
  const now = readHookServerAddress(purserPaths(host));
  return now.ok ? now.value : null;
}

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
