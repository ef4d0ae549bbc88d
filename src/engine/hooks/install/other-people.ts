import path from "node:path";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import * as z from "zod/mini";
import { sha256Hex } from "../../base/hash.ts";
import { makeFolder, readSmallText } from "../../base/files.ts";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { type PurserPaths, isSamePath, type HomeInput } from "../../base/paths.ts";
import { writePrivateFile } from "../../base/private-files.ts";
import { hookPrograms, type HookProgram } from "../program.ts";
import { markFor, markHeader } from "./settings/install-settings-entry.ts";
import { hookFile, hookScopes } from "./settings/agent-file.ts";
import { readJson } from "../../base/parse.ts";

/**
 * Who besides this user may log in to this machine, and so take a loopback port that nobody listens on:
 *
 * - `nobody`;
 * - `account`: somebody with an account here;
 * - `directory`: everybody in a directory service, whose accounts are not on this machine;
 * - `host`: the ports are shared with another machine, whose accounts cannot be seen from here;
 * - `unknown`: cannot be determined.
 *
 * In doubt the answer is not `nobody`. Administrators do not count, as they may read everything anyway; nor do accounts that no
 * person logs in with.
 */
export type OtherPeople =
  | { readonly kind: "nobody" }
  | { readonly kind: "account"; readonly name: string }
  | { readonly kind: "directory"; readonly name: string }
  | { readonly kind: "host" }
  | { readonly kind: "unknown" };

export interface PeopleInput {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** User id of this user; null where the system has none. */
  readonly uid: number | null;
  /** Returns null for a file that is missing or unreadable. */
  readonly readText: (file: string) => string | null;
  /** Returns the names in a folder; empty without a folder. */
  readonly list: (folder: string) => string[];
  /** Returns what a system program prints; null when it cannot be run, or fails. */
  readonly run: (program: string, args: readonly string[]) => Promise<string | null>;
}

export async function findOtherPeople(input: PeopleInput): Promise<OtherPeople> {
  if (input.platform === "linux") return onLinux(input, await hostOf(input));
  if (input.platform === "darwin") return await onMac(input);
  return input.platform === "win32" ? await onWindows(input) : unknown;
}

const nobody: OtherPeople = { kind: "nobody" };
const unknown: OtherPeople = { kind: "unknown" };

/** Account sources that are local to this machine. `systemd` has the accounts that it gives to programs while they run. */
const localSources = ["files", "compat", "db", "altfiles", "systemd", "mymachines"];

function onLinux({ uid, readText, list }: PeopleInput, host: OtherPeople): OtherPeople {
  const accounts = readText("/etc/passwd");
  if (accounts === null || uid === null) return unknown;
  const lines = accounts.split("\n");
  if (lines.some((line) => /^[+-]/u.test(line))) return { kind: "directory", name: "NIS" };
  const [, sources = ""] = /^[ \t]*passwd:(.*)$/mu.exec(readText("/etc/nsswitch.conf") ?? "") ?? [];
  const listed = sources.replaceAll(/\[[^[\]]*\]|#.*/gu, " ").split(/\s+/u);
  const directory = listed.find((source) => source !== "" && !localSources.includes(source));
  if (directory !== undefined) return { kind: "directory", name: directory };
  const range = rangeIn(readText("/etc/login.defs") ?? "");
  for (const line of lines) {
    const [name = "", , number = "", , , , shell = ""] = line.split(":");
    const own = Number(number);
    if (!/^\d+$/u.test(number) || own === uid || own < range.first || own > range.last) continue;
    if (!/\/(?:nologin|false|sync)$/u.test(shell.trim())) return { kind: "account", name };
  }
  // Home directories managed by systemd-homed contain their accounts.
  const [home] = list("/home").filter((name) => /\.home(?:dir)?$/u.test(name));
  return home === undefined ? host : { kind: "account", name: path.parse(home).name };
}

function rangeIn(text: string): { readonly first: number; readonly last: number } {
  const numberOf = (name: string) =>
    /^\s+(\d+)/u.exec(text.split(new RegExp(`^[ \\t]*${name}\\b`, "mu"))[1] ?? "");
  return {
    first: Number(numberOf("UID_MIN")?.[1] ?? 1000),
    last: Number(numberOf("UID_MAX")?.[1] ?? 60_000),
  };
}

/** Whether a container, or Linux on Windows, shares the ports of its host. */
async function hostOf({ env, readText, list, run }: PeopleInput): Promise<OtherPeople> {
  const system = readText("/proc/sys/kernel/osrelease") ?? "";
  if (/microsoft/iu.test(system)) {
    const mode = (await run("/usr/bin/wslinfo", ["--networking-mode"]))?.trim() ?? "";
    return ["nat", "none", "virtioproxy"].includes(mode) ? nobody : { kind: "host" };
  }
  // A Flatpak has its own accounts, and the network of its host.
  if (readText("/.flatpak-info") !== null) return { kind: "host" };
  const isContainer =
    ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].some((file) => readText(file) !== null) ||
    (env["container"] ?? env["KUBERNETES_SERVICE_HOST"] ?? "") !== "";
  if (!isContainer) return nobody;
  const devices = list("/sys/class/net").filter((name) => name !== "lo");
  // A dedicated device has its other end outside the container.
  const isApart = devices.every((name) => {
    const [index, link] = ["ifindex", "iflink"].map((file) =>
      readText(`/sys/class/net/${name}/${file}`)?.trim(),
    );
    return index !== undefined && link !== undefined && index !== link;
  });
  return isApart ? nobody : { kind: "host" };
}

const firstOfMac = 500;

async function onMac({ uid, run }: PeopleInput): Promise<OtherPeople> {
  const [accounts, search, guest] = await Promise.all([
    run("/usr/bin/dscl", [".", "-list", "/Users", "UniqueID"]),
    run("/usr/bin/dscl", ["/Search", "-read", "/", "SearchPath"]),
    run("/usr/bin/defaults", ["read", "/Library/Preferences/com.apple.loginwindow", "GuestEnabled"]),
  ]);
  if (accounts === null || search === null || uid === null) return unknown;
  const paths = search.split("\n").flatMap((line) => (line.startsWith(" ") ? [line.trim()] : []));
  const directory = paths.find(
    (domain) => domain !== "" && !["/Local/Default", "/BSD/local"].includes(domain),
  );
  if (directory !== undefined) return { kind: "directory", name: directory };
  for (const line of accounts.split("\n")) {
    const [, name = "", number = ""] = /^(\S+)\s+(-?\d+)\s*$/u.exec(line) ?? [];
    if (name !== "" && !name.startsWith("_") && Number(number) >= firstOfMac && Number(number) !== uid)
      return { kind: "account", name };
  }
  return guest?.trim() === "1" ? { kind: "account", name: "Guest" } : nobody;
}

async function onWindows({ env, run }: PeopleInput): Promise<OtherPeople> {
  const [machine, domain, user] = ["COMPUTERNAME", "USERDOMAIN", "USERNAME"].map((name) => env[name] ?? "");
  if (machine === "" || domain === "" || user === "") return unknown;
  if (domain?.toLowerCase() !== machine?.toLowerCase()) return { kind: "directory", name: domain ?? "" };
  const shell = path.win32.join(
    env["SystemRoot"] ?? String.raw`C:\Windows`,
    "System32/WindowsPowerShell/v1.0/powershell.exe",
  );
  const command = "Get-LocalUser | Where-Object Enabled | ForEach-Object Name";
  const accounts = await run(shell, ["-NoProfile", "-NonInteractive", "-Command", command]);
  if (accounts === null) return unknown;
  const names = accounts.split(/\r?\n/u).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const other = names.find((name) => name.toLowerCase() !== user?.toLowerCase());
  if (other !== undefined) return { kind: "account", name: other };
  return names.length === 0 ? unknown : nobody;
}

/** An installation of purser that hooks may point to: an editor's extension, or a package. A user's editors share their hooks. */
const installationSchema = z.object({
  /** The extension's folder, or the package's. */
  folder: z.string(),
});

/**
 * Registers an installation, so that uninstalling this or another one can find it.
 * @throws the system's error
 */
export function noteInstallation(home: PurserPaths, folder: string): void {
  const file = fileOf(home, folder);
  if (existsSync(file)) return;
  makeFolder(home.installations, 0o700);
  writePrivateFile(file, `${JSON.stringify({ folder })}\n`);
}

export function forgetInstallation(home: PurserPaths, folder: string): void {
  rmSync(fileOf(home, folder), { force: true });
}

/**
 * Returns the shims of other installations that still exist.
 * @param folder the installation that asks
 */
export function otherShims(home: PurserPaths, folder: string): string[] {
  return foldersIn(home).flatMap((other) => {
    // Installations in the same parent folder are other versions of the same extension, which the editor removes with it.
    if (isSamePath(other, folder) || isSamePath(path.dirname(other), path.dirname(folder))) return [];
    const shim = path.join(other, "dist", "hook.cjs");
    return existsSync(shim) ? [shim] : [];
  });
}

function foldersIn({ installations }: PurserPaths): string[] {
  return namesIn(installations).flatMap((name) => {
    try {
      const read = readJson(installationSchema, readFileSync(path.join(installations, name), "utf8"));
      return read === null ? [] : [read.folder];
    } catch (error) {
      rethrowUnlessSystemError(error);
      return [];
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}

function fileOf({ installations }: PurserPaths, folder: string): string {
  const name = sha256Hex(folder, 16);
  return path.join(installations, `${name}.json`);
}

/** Larger settings files are rejected. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

/**
 * Returns the agents with purser's hooks in a project. Budgets can warn and stop these, and only count
 * others.
 */
export function heldPrograms(project: string, { env, home }: HomeInput): HookProgram[] {
  return hookPrograms.filter((program) =>
    hookScopes.some((scope) => {
      const found = hookFile(program, scope, { env, home, project, isSame: isSamePath });
      const text = found.ok ? readSmallText(found.value.file, maxFileSize) : null;
      return text !== null && (text.includes(markFor(program, "")) || text.includes(markHeader));
    }),
  );
}
