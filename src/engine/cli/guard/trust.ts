import { statSync } from "node:fs";
import path from "node:path";
import { cleanText } from "../../base/text/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { quoted } from "../args.ts";
import type { CliHost } from "../ports.ts";
import { folderTrust } from "../trust-access.ts";
import { shellContext } from "./access.ts";

/** Lets a project's own files say something of guard rules, or no longer. Without a folder: the project here. */
export function setTrust(isTrusted: boolean, asked: string, host: CliHost): Result<number> {
  const { project } = shellContext(host, asked === "" ? "." : asked);
  const folder = project ?? host.cwd;
  if (isTrusted && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return fail("bad_argument", `${quoted(asked)} is not a folder`);
  if (isTrusted && (folder === host.home || folder === path.parse(folder).root))
    return fail("bad_argument", `${folder} contains several projects; give the folder of one`);
  const done = folderTrust(host).set(folder, isTrusted);
  if (!done.ok) return done;
  const shown = cleanText(folder);
  host.stdout.write(
    isTrusted
      ? `Guard rules in ${shown} are used: .purser/guard.yaml and .claude/hookify.*.local.md. They can only make rules stricter.\n`
      : `Guard rules in ${shown} are no longer used. A VS Code window that trusts the folder enables them again.\n`,
  );
  return succeed(0);
}
