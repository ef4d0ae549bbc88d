import { statSync } from "node:fs";
import { errorCode } from "../../base/error-code.ts";
import { isOpen, isOwn } from "../../base/disk/private-file.ts";
import { purserPaths } from "../../base/disk/home.ts";
import { readHookServerAddress } from "../../hooks/server/address.ts";
import type { CliHost } from "../ports.ts";
import { note, ok, problem } from "./diagnosis.ts";
import type { Finding } from "./schema.ts";

/** Checks the folder of purser's own. */
export function checkPlace(host: CliHost): Finding[] {
  const paths = purserPaths(host);
  const { folder } = paths;
  let stats;
  try {
    stats = statSync(folder);
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT"
      ? [
          note(
            "state-folder",
            `${folder} does not exist yet; the service will create it.`,
            "purser service start",
          ),
        ]
      : [
          problem(
            "state-folder",
            `${folder} cannot be accessed: ${code}`,
            "Make it accessible to you, or set PURSER_HOME to a folder of yours.",
          ),
        ];
  }
  if (!stats.isDirectory())
    return [
      problem("state-folder", `${folder} is not a folder.`, "Move it away, or set PURSER_HOME to a folder."),
    ];
  if (!isOwn(stats))
    return [
      problem(
        "state-folder",
        `${folder} belongs to another user, so purser does not use it.`,
        "Give it back to yourself (chown), or set PURSER_HOME to a folder of yours.",
      ),
    ];
  if (isOpen(stats))
    return [problem("state-folder", `${folder} can be accessed by other users.`, `chmod 700 "${folder}"`)];
  const address = readHookServerAddress(paths);
  const ofHooks = address.ok
    ? []
    : [
        problem(
          "hook-address",
          `The address for hooks is not trusted: ${address.detail}`,
          `Remove ${paths.hooks}, then purser service restart and purser hooks repair.`,
        ),
      ];
  return [ok("state-folder", `${folder} is accessible only to you.`), ...ofHooks];
}
