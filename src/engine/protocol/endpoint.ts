import path from "node:path";
import { randomBytes, createHash, timingSafeEqual } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { sha256Hex } from "../base/hash.ts";
import { type Result, succeed, fail, errorCode, rethrowUnlessSystemError } from "../base/result.ts";
import { maxSocketPath, type PurserPaths } from "../base/paths.ts";
import { ensurePrivateFolder, foldersOpenToOthers, isOpen, isOwn } from "../base/private-files.ts";
import { sentence, compose } from "../base/language.ts";

export interface EndpointInput {
  readonly home: PurserPaths;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The system's folder for temporary files. */
  readonly temporary: string;
}

export interface Endpoint {
  readonly server: Server;
  /** Path of the socket, or name of the pipe. */
  readonly address: string;
}

/** The second endpoint's address is one byte longer. Bytes. */
const maxAddressLength = maxSocketPath - 1;

/** Each service uses its own address, so that none ever removes another's. The holder of the service's lock removes the sockets of dead services. */
export async function openEndpoint(
  input: EndpointInput,
): Promise<Result<Endpoint, "unsafe_place" | "unwritable">> {
  const name = randomBytes(6).toString("hex");
  if (input.platform === "win32")
    return await listen(`\\\\.\\pipe\\purser-${hashOf(input.home)}-${name}`, createServer());
  let last: Result<Endpoint, "unsafe_place" | "unwritable"> = fail(
    "unwritable",
    sentence("no path is short enough"),
  );
  for (const folder of socketFolders(input)) {
    const address = path.join(folder, `${name}.sock`);
    if (Buffer.byteLength(address) > maxAddressLength) continue;
    const own = ensurePrivateFolder(folder);
    if (own.ok) removeSockets(folder);
    last = own.ok ? await listen(address, createServer()) : own;
    if (last.ok) break;
  }
  return last;
}

/** Some file systems support no sockets (Windows folders under WSL, some network folders), and some paths are too long. */
function socketFolders({ home, env, temporary }: EndpointInput): string[] {
  const name = `purser-${hashOf(home)}`;
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  return [
    home.sockets,
    ...(path.isAbsolute(runtime) ? [path.join(runtime, name)] : []),
    path.join(temporary, name),
    path.join("/tmp", name),
  ];
}

function hashOf({ folder }: PurserPaths): string {
  const owner = process.geteuid?.() ?? "";
  return sha256Hex(`${owner} ${folder}`, 12);
}

function removeSockets(folder: string): void {
  for (const name of readdirSync(folder)) {
    const socketPath = path.join(folder, name);
    if (name.endsWith(".sock") && lstatSync(socketPath, { throwIfNoEntry: false })?.isSocket() === true)
      rmSync(socketPath, { force: true });
  }
}

/** Another server of the same service, next to its endpoint. */
export async function openBeside(
  { address }: Pick<Endpoint, "address">,
  server: Server,
): Promise<Result<Endpoint, "unwritable">> {
  return await listen(isPipe(address) ? `${address}-hooks` : address.replace(/\.sock$/u, "h.sock"), server);
}

/**
 * Makes a path that never changes lead to a socket in the same folder, replacing what it led to. It is for programs that cannot check who
 * listens, so every folder above must be closed to others.
 */
export function linkSocket(address: string, link: string): Result<void, "unsafe_place" | "unwritable"> {
  if (path.dirname(address) !== path.dirname(link) || Buffer.byteLength(link) > maxSocketPath)
    return fail("unwritable", sentence("{0} is not beside the socket, or too long", link));
  try {
    const [open] = foldersOpenToOthers(path.dirname(link));
    if (open !== undefined) return fail("unsafe_place", sentence("others can write to {0}", open));
    if (isLinked(address, link)) return succeed(undefined);
    const made = `${address}.link`;
    rmSync(made, { force: true });
    symlinkSync(path.basename(address), made);
    renameSync(made, link);
    return succeed(undefined);
  } catch (error) {
    return fail("unwritable", compose`${link}: ${errorCode(error)}`);
  }
}

/** Leaves a link to another service's socket. */
export function unlinkSocket(address: string, link: string): void {
  try {
    if (isLinked(address, link)) rmSync(link);
  } catch (error) {
    rethrowUnlessSystemError(error);
  }
}

function isLinked(address: string, link: string): boolean {
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && readlinkSync(link) === path.basename(address);
}

function listen(address: string, server: Server): Promise<Result<Endpoint, "unwritable">> {
  return new Promise((resolve) => {
    const refuse = (error: Error) => resolve(fail("unwritable", compose`${address}: ${errorCode(error)}`));
    server.once("error", refuse);
    server.listen(address, () => {
      server.off("error", refuse);
      if (!isPipe(address)) chmodSync(address, 0o600);
      resolve(succeed({ server, address }));
    });
  });
}

/**
 * Who may listen at an address, judged by the address alone:
 * - `own`: only this user. The socket's folder belongs to the user and is closed to others, so they cannot
 * create a socket there, even after its service has ended;
 * - `unproven`: anybody. A Windows pipe has no folder: the first to ask gets the name, so the listener must
 * prove its identity;
 * - `foreign`: others can create sockets there;
 * - `gone`: the folder does not exist. Somebody could create it before the connection is made.
 */
type EndpointTrust = "own" | "unproven" | "foreign" | "gone";

export function trustIn(address: string): EndpointTrust {
  if (isPipe(address)) return "unproven";
  const folder = path.dirname(address);
  // Does not follow links: a link could point elsewhere a moment later.
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return "gone";
  return stats.isDirectory() && isOwn(stats) && !isOpen(stats) ? "own" : "foreign";
}

export function isPipe(address: string): boolean {
  return address.startsWith("\\\\");
}

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Compares in constant time, whatever the length: timing must not reveal how much of a token was right.
 */
export function isToken(shown: string, token: string): boolean {
  return timingSafeEqual(digest(shown), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
