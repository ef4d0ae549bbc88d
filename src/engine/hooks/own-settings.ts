import { readFileSync } from "node:fs";
import { findNodeAtLocation } from "jsonc-parser";
import { sentence } from "../base/language.ts";
import type { PurserPaths } from "../base/paths.ts";
import { ensurePrivateFolder, writeBehindLink } from "../base/private-files.ts";
import { type Result, succeed, fail, errorCode } from "../base/result.ts";
import {
  type JsonDocument,
  parseJsonDocument,
  edited,
  appendMember,
  printDocument,
  replaceValue,
} from "./install.ts";

/** A member of `~/.purser/settings.json`, or a member of one that is an object. */
export interface OwnSetting {
  readonly place: readonly [name: string] | readonly [name: string, member: string];
  readonly value: unknown;
}

/** Another program may change the file meanwhile. */
const maxTries = 20;

/** Changes only these values: every other byte of the file stays. */
export function setOwnSettings(
  settings: readonly OwnSetting[],
  paths: Pick<PurserPaths, "folder" | "settings">,
): Result<void> {
  const place = ensurePrivateFolder(paths.folder);
  if (!place.ok) return place;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const text = readText(paths.settings);
    if (!text.ok) return text;
    const changed = withOwnSettings(text.value, settings);
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

function readText(file: string): Result<string, "unreadable"> {
  try {
    return succeed(readFileSync(file, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return succeed("");
    return fail("unreadable", sentence("{0} cannot be read ({1})", file, errorCode(error)));
  }
}

export function withOwnSettings(
  text: string,
  settings: readonly OwnSetting[],
): Result<string, "not_json" | "not_an_object"> {
  let changed = text;
  for (const { place, value } of settings) {
    const document = parseJsonDocument(changed);
    if (!document.ok) return document;
    const [name, member] = place;
    if (document.value.root === null)
      changed = printDocument({ [name]: member === undefined ? value : { [member]: value } });
    else if (document.value.root.type !== "object")
      return fail("not_an_object", sentence("it is not an object"));
    else changed = withMember(document.value, place, value);
  }
  return succeed(changed);
}

function withMember(document: JsonDocument, place: OwnSetting["place"], value: unknown): string {
  const { root } = document;
  if (root === null) return document.text;
  const [name, member] = place;
  const found = findNodeAtLocation(root, [...place]);
  if (found !== undefined) return edited(document, replaceValue(document, found, value));
  const outer = member === undefined ? root : findNodeAtLocation(root, [name]);
  const inner = member ?? name;
  if (outer?.type === "object") return edited(document, appendMember(document, outer, inner, value));
  const object = { [inner]: value };
  if (outer !== undefined) return edited(document, replaceValue(document, outer, object));
  return edited(document, appendMember(document, root, name, object));
}
