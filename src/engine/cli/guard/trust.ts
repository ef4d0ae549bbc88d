import { sentence, t } from "../../base/language.ts";
import { statSync } from "node:fs";
import path from "node:path";
import { cleanText } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { quoted } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { folderTrust } from "../trust-access.ts";
import { shellContext } from "./guard-access.ts";

/** Without a folder: the current project. */
export function setTrust(isTrusted: boolean, asked: string, host: CliHost): Result<number> {
  const { project } = shellContext(host, asked === "" ? "." : asked);
  const folder = project ?? host.cwd;
  if (isTrusted && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return fail("bad_argument", sentence("{0} is not a folder", quoted(asked)));
  if (isTrusted && (folder === host.home || folder === path.parse(folder).root))
    return fail("bad_argument", sentence("{0} contains several projects; give the folder of one", folder));
  const done = folderTrust(host).set(folder, isTrusted);
  if (!done.ok) return done;
  const shown = cleanText(folder);
  host.stdout.write(
    isTrusted
      ? `${t("Guard rules in {0} are used: .purser/guard.yaml and .claude/hookify.*.local.md. They can only make rules stricter.", shown)}\n`
      : `${t("Guard rules in {0} are no longer used. A VS Code window that trusts the folder enables them again.", shown)}\n`,
  );
  return succeed(0);
}
