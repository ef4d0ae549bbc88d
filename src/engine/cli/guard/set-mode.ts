import { sentence, t } from "../../base/language.ts";
import { readFileSync } from "node:fs";
import { purserPaths } from "../../base/paths.ts";
import { ensurePrivateFolder, writeBehindLink } from "../../base/private-files.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { findNodeAtLocation } from "jsonc-parser";
import {
  type JsonDocument,
  parseJsonDocument,
  edited,
  appendMember,
  printDocument,
  replaceValue,
} from "../../hooks/hook-settings.ts";
import { guardFamilies, type GuardFamily, type GuardMode } from "../../settings/guard.ts";
import type { CliHost } from "../cli-ports.ts";

/** Another program may change the file meanwhile. */
const maxTries = 20;

/** Changes only this value: every other byte of the file stays. */
export function setGuardMode(
  mode: GuardMode,
  family: GuardFamily | null,
  host: Pick<CliHost, "env" | "home">,
): Result<void> {
  const paths = purserPaths(host);
  const place = ensurePrivateFolder(paths.folder);
  if (!place.ok) return place;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const text = readText(paths.settings);
    if (!text.ok) return text;
    const changed = withMode(text.value, mode, family);
    if (!changed.ok)
      return fail(changed.reason, sentence("{0}: {1}; fix it and try again", paths.settings, changed.detail));
    const isSame = () => {
      const now = readText(paths.settings);
      return now.ok && now.value === text.value;
    };
    try {
      if (writeBehindLink(paths.settings, changed.value, isSame)) return succeed(undefined);
    } catch (error) {
      return fail("unwritable", sentence("{0} cannot be written ({1})", paths.settings, errorCode(error)));
    }
  }
  return fail(
    "changed_meanwhile",
    sentence("{0} is being changed by another program; try again", paths.settings),
  );
}

/** A mode for all does not change a family's own. */
export function ownModesText(
  mode: GuardMode,
  own: Readonly<Partial<Record<GuardFamily, GuardMode>>>,
): string {
  return guardFamilies
    .flatMap((family) => {
      const its = own[family];
      return its === undefined || its === mode
        ? []
        : [t("{0} keeps its own mode, {1}: purser guard {2} --family {0} changes it.", family, its, mode)];
    })
    .map((line) => `${line}\n`)
    .join("");
}

function readText(file: string): Result<string, "unreadable"> {
  try {
    return succeed(readFileSync(file, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return succeed("");
    return fail("unreadable", sentence("{0} cannot be read ({1})", file, errorCode(error)));
  }
}

export function withMode(
  text: string,
  mode: GuardMode,
  family: GuardFamily | null,
): Result<string, "not_json" | "not_an_object"> {
  const document = parseJsonDocument(text);
  if (!document.ok) return document;
  if (document.value.root === null)
    return succeed(
      printDocument(family === null ? { guardMode: mode } : { guardFamilies: { [family]: mode } }),
    );
  if (document.value.root.type !== "object") return fail("not_an_object", sentence("it is not an object"));
  const place = family === null ? ["guardMode"] : ["guardFamilies", family];
  return succeed(withMember(document.value, place, mode));
}

function withMember(document: JsonDocument, [name = "", ...rest]: readonly string[], value: string): string {
  const { root } = document;
  if (root === null) return document.text;
  const whole = [name, ...rest];
  const found = findNodeAtLocation(root, whole);
  if (found !== undefined) return edited(document, replaceValue(document, found, value));
  const outer = rest.length === 0 ? root : findNodeAtLocation(root, [name]);
  const inner = rest.length === 0 ? name : (rest[0] ?? "");
  if (outer?.type === "object") return edited(document, appendMember(document, outer, inner, value));
  const object = { [inner]: value };
  if (outer !== undefined) return edited(document, replaceValue(document, outer, object));
  return edited(document, appendMember(document, root, name, object));
}
