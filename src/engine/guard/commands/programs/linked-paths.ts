import type { Argument, Place } from "../invocation.ts";
import { isUnknown } from "../invocation.ts";
import type { Scope } from "../scope.ts";
import { operandsOf, placeOf } from "../written-files.ts";

/** Maximum links of one command line. */
const maxLinks = 20;
/** Maximum links that are followed in a row. */
const maxSteps = 4;

/** Programs that act on a link itself, unless a slash follows. */
const takingLinks = new Set(
  "rm mv ln unlink rmdir rimraf trash srm find readlink ls stat test [ mklink umount".split(" "),
);
/** Programs that delete or change files. In a mounted folder these are files of the machine. */
const changing = new Set(
  "rm rmdir unlink shred srm truncate mv find rsync git rimraf trash chmod chown tee sed".split(" "),
);

/** Records the links and mounts that a command creates. */
export function rememberLinks(program: string, args: readonly Argument[], scope: Scope): void {
  const names = operandsOf(args);
  if (program === "ln") {
    const isLink = args.some(({ text }) => text === "--symbolic" || /^-[a-zA-Z]*s/u.test(text));
    const [target, name = "."] = names;
    if (isLink && target !== undefined) link(scope, target, name, false);
  } else if (program === "mount") {
    const isBound = args.some(({ text }) => /^(?:--r?bind|-B|-R|r?bind(?:,.*)?)$/u.test(text));
    const [target, name] = names.filter((text) => !/^r?bind(?:,|$)/u.test(text));
    if (isBound && target !== undefined && name !== undefined) link(scope, target, name, true);
  } else if (scope.links.size > 0 && (program === "rm" || program === "unlink")) {
    for (const name of names) if (!name.endsWith("/")) scope.links.delete(placeOf(scope, name));
  }
}

function link(scope: Scope, target: string, name: string, isMount: boolean): void {
  if (isUnknown(name)) return;
  if (scope.links.size >= maxLinks) {
    scope.effort.leaveOut();
    return;
  }
  const isFolder = /(?:^|\/)\.{0,2}\/?$/u.test(name);
  const base =
    target
      .replace(/(?<!\/)\/+$/u, "")
      .split("/")
      .at(-1) ?? "";
  const place = placeOf(scope, isFolder && !isMount ? `${name}/${base}` : name);
  const isWhole = target.startsWith("/") || target.startsWith("~") || isUnknown(target);
  const absolute = isWhole ? target : placeOf({ ...scope, folder: parentOf(place) }, target);
  if (absolute !== place) scope.links.set(place, { target: absolute, isMount });
}

const parentOf = (place: string): string => place.slice(0, Math.max(1, place.lastIndexOf("/")));

/** Replaces paths in a command's words by the targets of links of the same command line. */
export function throughLinks(program: string, args: readonly Argument[], scope: Scope): readonly Argument[] {
  if (scope.links.size === 0) return args;
  const how = takingLinks.has(program) ? "below" : "whole";
  if (program === "ln" || !scope.effort.take(args.length * scope.links.size)) return args;
  return args.map((arg) => {
    const text = followLinks(arg.text, scope, how);
    return text === arg.text ? arg : { ...arg, text };
  });
}

/**
 * Returns the target of a path.
 * @param how whether a link itself is followed, or only paths below it
 */
export function followLinks(text: string, scope: Scope, how: "whole" | "below"): string {
  if (scope.links.size === 0 || text === "" || text.startsWith("-")) return text;
  let path = text;
  for (let step = 0; step < maxSteps; step += 1) {
    const next = followOnce(path, scope, how);
    if (next === null) break;
    path = next;
  }
  return path;
}

function followOnce(text: string, scope: Scope, how: "whole" | "below"): string | null {
  const place = placeOf(scope, text);
  const end = text.endsWith("/") ? "/" : "";
  for (const [linked, { target, isMount }] of scope.links) {
    const isSame = place === linked;
    if (isSame && (how === "whole" || isMount || end !== "")) return target + end;
    if (place.startsWith(linked === "/" ? "/" : `${linked}/`))
      return `${target === "/" ? "" : target}${place.slice(linked === "/" ? 0 : linked.length)}${end}`;
  }
  return null;
}

/**
 * Adds a container's mounts to its scope.
 * @param from scope that starts the container
 */
export function mountVolumes(program: string, args: readonly Argument[], from: Scope, inner: Scope): void {
  const texts = args.map(({ text }) => text);
  for (const [at, text] of texts.entries()) {
    const joined = /^(?:--volume=|--mount=|-v)(?=.)/u.exec(text)?.[0];
    const isAlone = text === "-v" || text === "--volume" || text === "--mount";
    const value = isAlone ? texts[at + 1] : joined === undefined ? undefined : text.slice(joined.length);
    const mounted = value === undefined ? null : readMount(value);
    if (mounted === null) continue;
    if (inner.links.size >= maxLinks) {
      inner.effort.leaveOut();
      break;
    }
    const { source, target } = mounted;
    const isPath = /^(?:[./~]|[A-Za-z]:)/u.test(source) || isUnknown(source);
    const own = isPath ? placeOf(from, source) : `/var/lib/docker/volumes/${source}/_data`;
    inner.links.set(target === "/" ? target : target.replace(/(?<!\/)\/+$/u, ""), {
      target: own,
      isMount: true,
    });
  }
  const at = texts.findIndex((text) => text === "-w" || text === "--workdir");
  const folder = at === -1 ? texts.find((text) => text.startsWith("--workdir="))?.slice(10) : texts[at + 1];
  if (folder !== undefined && program !== "") inner.folder = folder;
}

/** Reads `SOURCE:TARGET`, or `type=bind,source=…,target=…`; null for a read-only or new mount. */
function readMount(value: string): { readonly source: string; readonly target: string } | null {
  if (value.includes("=")) {
    const parts = new Map(value.split(",").map((part) => pairOf(part)));
    const source = parts.get("source") ?? parts.get("src");
    const target = parts.get("target") ?? parts.get("destination") ?? parts.get("dst");
    const isReadOnly = parts.has("readonly") || parts.has("ro");
    return source === undefined || target === undefined || isReadOnly ? null : { source, target };
  }
  const [source, target, mode = ""] = value.split(/:(?![\\/]{1,2}[^/])|:(?=\/)/u);
  if (source === undefined || target === undefined || source === "") return null;
  return mode.split(",").includes("ro") ? null : { source, target };
}

function pairOf(part: string): [string, string] {
  const at = part.indexOf("=");
  return at === -1 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
}

/** Returns the machine with the files that a command changes: mounted folders of a container are on the host. */
export function placeOfFiles(
  program: string,
  written: readonly Argument[],
  followed: readonly Argument[],
  scope: Scope,
): Place {
  if (scope.place !== "container" || scope.links.size === 0 || !changing.has(program)) return scope.place;
  const isMounted =
    followed.some((arg, at) => arg.text !== written[at]?.text) ||
    [...scope.links.values()].some(({ target }) => isBelow(scope.folder, target));
  return isMounted ? "here" : scope.place;
}

const isBelow = (folder: string | null, target: string): boolean =>
  folder !== null && (folder === target || folder.startsWith(`${target}/`));
