import path from "node:path";
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { sha256Hex } from "../hash.ts";
import { ifPossible } from "./home.ts";

/** Identity of a repository, the same on every machine that has a copy of it. */
export interface Repository {
  /** A hash, so that neither an address nor a path leaves the machine. */
  readonly key: string;
  readonly name: string;
}

/** Hexadecimal digits of a key. */
const keyLength = 16;
/** Bytes. A larger file is no ordinary configuration. */
const maxConfigSize = 256 * 1024;
/** A clone of a local clone of a local clone. */
const maxDepth = 4;
/** Only a repository without a remote is asked for its first commit. Milliseconds. */
const maxGitTime = 2000;
/** Hosts on which names differ from each other by more than their case. */
const ignoresCase = /^(?:github\.com|gitlab\.com|bitbucket\.org)\//u;

/**
 * The repository of a main working tree, or of a bare repository: by the address of its remote, without credentials and
 * however it is written; else by its first commit. Null outside of a repository, and for one without both.
 *
 * @param rootOf returns a first commit that is known already
 */
export function repositoryOf(
  project: string,
  rootOf: (project: string) => string | null = firstCommit,
  depth = 0,
): Repository | null {
  const folder = gitFolderOf(project);
  if (folder === null) return null;
  const url = remoteIn(textOf(path.join(folder, "config")));
  const local = url === null ? null : localPlace(url, project);
  if (local !== null && depth < maxDepth) {
    const original = repositoryOf(local, rootOf, depth + 1);
    if (original !== null) return original;
  }
  const remote = url === null || local !== null ? null : normalRemote(url);
  if (remote !== null) return { key: keyOf(`remote ${remote}`), name: path.posix.basename(remote) };
  const root = isBegun(folder) ? rootOf(project) : null;
  return root === null ? null : { key: keyOf(`root ${root}`), name: nameOf(project) };
}

export function keyOf(text: string): string {
  return sha256Hex(text, keyLength);
}

export function nameOf(folder: string): string {
  return path.basename(folder).replace(/\.git$/u, "");
}

/**
 * Returns `host/path` of a remote's address, the same for each way to write it; null for a local path.
 * `https://user:secret@Host:443/team/api.git/`, `ssh://git@host/team/api` and `git@host:team/api.git` are one.
 */
export function normalRemote(url: string): string | null {
  const scheme = url.indexOf("://");
  const isFull = /^[a-z][a-z0-9+.-]*:\/\//iu.test(url);
  if (isFull && /^file:/iu.test(url)) return null;
  const address = isFull ? url.slice(scheme + 3) : url;
  // `host:path` of the short form ends the host at its colon; a single letter is a drive.
  const end = isFull ? address.indexOf("/") : address.indexOf(":");
  const slash = address.indexOf("/");
  if (end < 2 || (!isFull && slash !== -1 && slash < end)) return null;
  const host = address.slice(address.lastIndexOf("@", end) + 1, end).replace(/:\d{1,5}$/u, "");
  const parts = address
    .slice(end + 1)
    .split(/[?#]/u, 1)
    .join("")
    .split("/");
  const clean = parts
    .filter((part) => part !== "")
    .join("/")
    .replace(/\.git$/u, "");
  if (host.length < 2 || /\s/u.test(host) || clean === "") return null;
  const remote = `${host.toLowerCase()}/${clean}`;
  return ignoresCase.test(remote) ? remote.toLowerCase() : remote;
}

/** The folder that a local remote names; null for another kind of remote. */
function localPlace(url: string, project: string): string | null {
  const place = /^file:\/\//iu.test(url) ? ifPossible(() => decodeURIComponent(new URL(url).pathname)) : url;
  if (place === undefined || (place === url && normalRemote(url) !== null)) return null;
  return path.resolve(project, place);
}

/** Returns the address of `origin`, else of the first remote in the file. */
function remoteIn(config: string): string | null {
  const urls = new Map<string, string>();
  let remote: string | null = null;
  for (const line of config.split("\n")) {
    const section = line.trim();
    if (section.startsWith("[")) remote = /^\[remote "([^"]*)"\]/u.exec(section)?.[1] ?? null;
    const [name, ...value] = line.split("=");
    if (remote !== null && name?.trim() === "url" && !urls.has(remote))
      urls.set(remote, value.join("=").trim().replaceAll(/^"|"$/gu, ""));
  }
  return urls.get("origin") ?? [...urls.values()][0] ?? null;
}

/** The folder of the repository of a main working tree, a submodule, or a bare repository. */
function gitFolderOf(project: string): string | null {
  if (!path.isAbsolute(project)) return null;
  const inside = path.join(project, ".git");
  const stats = ifPossible(() => statSync(inside));
  if (stats?.isDirectory() === true) return inside;
  if (stats?.isFile() === true) {
    const named = /^gitdir: (.+)$/mu.exec(textOf(inside))?.[1]?.trim();
    return named === undefined ? null : path.resolve(project, named);
  }
  const isBare = textOf(path.join(project, "config"))
    .split("\n")
    .some((line) => line.replaceAll(/\s/gu, "") === "bare=true");
  return isBare ? project : null;
}

/** Whether it has a commit. */
function isBegun(folder: string): boolean {
  const branch = /^ref: (.+)$/mu.exec(textOf(path.join(folder, "HEAD")))?.[1]?.trim();
  if (branch === undefined) return textOf(path.join(folder, "HEAD")).trim() !== "";
  return [branch, "packed-refs", "reftable"].some(
    (name) => ifPossible(() => statSync(path.join(folder, name))) !== undefined,
  );
}

/**
 * The oldest first commit of what is checked out. Git fetches nothing and runs none of the repository's programs. A
 * shallow copy does not know its first commit.
 */
export function firstCommit(project: string): string | null {
  const words = ["-C", project, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const { status, stdout } = spawnSync("git", [...words, "rev-list", "--max-parents=0", "HEAD", "--"], {
    encoding: "utf8",
    timeout: maxGitTime,
    windowsHide: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" },
  });
  if (status !== 0) return null;
  const isShallow =
    ifPossible(() => statSync(path.join(gitFolderOf(project) ?? "", "shallow"))) !== undefined;
  return isShallow ? null : (stdout.trim().split("\n").at(-1) ?? null);
}

/** Empty for a file that is missing or unusually large. */
function textOf(file: string): string {
  return ifPossible(() => (statSync(file).size > maxConfigSize ? "" : readFileSync(file, "utf8"))) ?? "";
}
