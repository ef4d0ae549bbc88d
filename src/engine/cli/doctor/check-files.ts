import path from "node:path";
import { sentence } from "../../base/language.ts";
import { purserPaths } from "../../base/paths.ts";
import { guardRules, shellContext } from "../guard/guard-access.ts";
import { OwnCatalogues } from "../../sessions/live.ts";
import type { CliHost } from "../cli-ports.ts";
import { settingsStore } from "../settings-access.ts";
import { onFailureOf, type FailureWish } from "../../hooks/install.ts";
import type { Settings } from "../../settings/shape.ts";
import { note, ok, problem } from "./diagnosis.ts";
import type { Finding } from "./doctor-schema.ts";
import { accessSync, constants, existsSync, lstatSync, statSync } from "node:fs";
import { errorCode } from "../../base/result.ts";
import { isOpen, isOwn } from "../../base/private-files.ts";
import { isDiskFull } from "../../base/files.ts";
import { writingRefusal, ledgerFiles } from "../ledger/ledger-files.ts";
import { readHookServerAddress } from "../../hooks/server.ts";

export function checkPlace(host: CliHost): Finding[] {
  const paths = purserPaths(host);
  const { folder } = paths;
  let stats;
  try {
    stats = statSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") {
      const link = deadLinkTo(folder);
      if (link !== null)
        return [
          problem(
            "state-folder",
            sentence("{0} is a link to a folder that does not exist.", link),
            sentence("Create that folder, or set PURSER_HOME to another one."),
          ),
        ];
      const refusal = writingRefusal(existingAbove(folder));
      return refusal === null
        ? [
            note(
              "state-folder",
              sentence("{0} does not exist yet; the service will create it.", folder),
              "purser service start",
            ),
          ]
        : [cannotWrite(folder, refusal)];
    }
    return [
      problem(
        "state-folder",
        sentence("{0} cannot be accessed: {1}", folder, code),
        sentence("Make it accessible to you, or set PURSER_HOME to a folder of yours."),
      ),
    ];
  }
  if (!stats.isDirectory()) return [notAFolder(folder)];
  if (!isOwn(stats))
    return [
      problem(
        "state-folder",
        sentence("{0} belongs to another user, so purser does not use it.", folder),
        sentence("Give it back to yourself (chown), or set PURSER_HOME to a folder of yours."),
      ),
    ];
  if (isOpen(stats))
    return [
      problem(
        "state-folder",
        sentence("{0} can be accessed by other users.", folder),
        `chmod 700 "${folder}"`,
      ),
    ];
  const refusal = writingRefusal(folder);
  if (refusal !== null) return [cannotWrite(folder, refusal)];
  const inside = foldersIn(host).flatMap((each) => checkInside(each));
  if (inside.length > 0) return inside;
  const address = readHookServerAddress(paths);
  const ofHooks = address.ok
    ? []
    : [
        problem(
          "hook-address",
          sentence("The address for hooks is not trusted: {0}", address.detail),
          sentence("Remove {0}, then purser service restart and purser hooks repair.", paths.hooks),
        ),
      ];
  return [ok("state-folder", sentence("{0} is accessible only to you.", folder)), ...ofHooks];
}

/** Folders that a service writes to from its start. */
function foldersIn(host: CliHost): readonly string[] {
  const { sockets, spool, sessions } = purserPaths(host);
  return [ledgerFiles(host).journal, sockets, spool, sessions];
}

/** A missing one is created when needed. */
function checkInside(folder: string): Finding[] {
  try {
    if (!statSync(folder).isDirectory()) return [notAFolder(folder)];
    accessSync(folder, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" ? [] : [cannotWrite(folder, code)];
  }
}

function notAFolder(folder: string): Finding {
  return problem(
    "state-folder",
    sentence("{0} is not a folder.", folder),
    sentence("Move it away, or set PURSER_HOME to a folder."),
  );
}

/** The link that leads nowhere; null for none. */
function deadLinkTo(folder: string): string | null {
  if (existsSync(folder)) return null;
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) return folder;
  const above = path.dirname(folder);
  return above === folder ? null : deadLinkTo(above);
}

function existingAbove(folder: string): string {
  const above = path.dirname(folder);
  return above === folder || existsSync(above) ? above : existingAbove(above);
}

function cannotWrite(folder: string, code: string): Finding {
  return isDiskFull(code)
    ? problem(
        "state-folder",
        sentence("The disk of {0} is full, so nothing is recorded.", folder),
        sentence("Free some space. What was recorded before is safe."),
      )
    : problem(
        "state-folder",
        sentence("{0} cannot be written: {1}", folder, code),
        sentence("Make it writable for you, or set PURSER_HOME to a folder of yours."),
      );
}

export interface FoundSettings {
  readonly settings: Settings;
  readonly onFailure: FailureWish;
  readonly findings: readonly Finding[];
}

export function findSettings(host: CliHost): FoundSettings {
  const store = settingsStore(host, () => undefined);
  try {
    const settings = store.now();
    const catalogues = new OwnCatalogues();
    catalogues.forSettings(settings);
    const faults = [...store.problems(), ...catalogues.problems].map(({ path, reason }) =>
      problem(
        "settings",
        sentence("Part of it has no effect: {0}", reason),
        sentence("Fix it; the rest of the file applies."),
        path,
      ),
    );
    const { settings: file } = purserPaths(host);
    return {
      settings,
      onFailure: onFailureOf(store),
      findings: faults.length > 0 ? faults : [ok("settings", sentence("Settings are valid."), file)],
    };
  } finally {
    store.dispose();
  }
}

export async function checkGuard(host: CliHost, cwd: string): Promise<Finding[]> {
  // Faults are reported with their files.
  const files = await guardRules(host, () => undefined).files(shellContext(host, cwd));
  const findings = files.flatMap(({ name, state, faults }) => {
    if (state === "untrusted")
      return [
        note(
          "guard-untrusted",
          sentence("It is not used because its folder is not trusted."),
          "purser guard trust",
          name,
        ),
      ];
    return faults.map(({ line, message }) =>
      problem(
        "guard-rules",
        sentence("Line {0}: {1}", line, message),
        sentence("Fix the line; until then, its last valid content applies."),
        name,
      ),
    );
  });
  const isAnyFaulty = findings.some(({ level }) => level === "problem");
  return isAnyFaulty ? findings : [ok("guard-rules", sentence("Guard rules are valid.")), ...findings];
}
