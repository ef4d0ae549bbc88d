import { connect, type Socket } from "node:net";
import { parseJson } from "../../base/parse-json.ts";
import { hookPath, type HookProgram } from "../program.ts";
import { trustIn } from "../../rpc/endpoint-trust.ts";
import { readPrivateFile } from "../../base/disk/private-file.ts";

/** Where the service answers hooks that a program of ours hands over: its socket, or its pipe. */
export interface HookEndpoint {
  readonly address: string;
  /** Never sent: what shows that one has it is. */
  readonly token: string;
  /** What was built and serves; null where it does not say. See `build-stamp.ts`. */
  readonly build: string | null;
}

/**
 * What `service.json` says of it, without the library that takes longer to load than all else here. Null where no service says so that
 * answers hooks.
 */
export function readHookEndpoint(file: string): HookEndpoint | null {
  const text = readPrivateFile(file);
  const record = text.ok && text.value !== null ? parseJson(text.value) : null;
  const [address, token] = [textOf(record, "hooks"), textOf(record, "token")];
  return address === null || token === null ? null : { address, token, build: textOf(record, "build") };
}

export interface HookPost {
  readonly program: HookProgram;
  /** Should the service have taken it without our hearing so, it knows it again in the spool. */
  readonly id: string;
  readonly body: Buffer;
  /** The body is only the beginning of what the agent told. */
  readonly isCut: boolean;
  /** Further headers: see `toldVariables`. No line breaks are in them. */
  readonly told: readonly string[];
}

/**
 * Posts a hook by hand, as Node's own client takes a while to load. Null when nobody took it. Not a byte goes to a listener that may be
 * another user's: see `trustIn`, and `proof.ts` where its address alone proves nothing.
 */
export async function postHook(
  endpoint: HookEndpoint,
  post: HookPost,
  trust = trustIn(endpoint.address),
): Promise<string | null> {
  if (trust === "foreign" || trust === "gone") return null;
  const socket = connect(endpoint.address);
  // `close` follows.
  socket.on("error", () => undefined);
  try {
    const proof = trust === "unproven" ? await proveEachOther(socket, endpoint) : "";
    return proof === null ? null : await ask(socket, requestOf(post, proof), post.body);
  } finally {
    socket.destroy();
  }
}

const host = "Host: purser";
export const proofPath = "/proof";
export const challengeHeader = "x-purser-challenge";
export const proofHeader = "x-purser-proof";
export const cutHeader = "x-purser-cut";

function requestOf({ program, id, body, isCut, told }: HookPost, proof: string): string[] {
  return [
    `POST ${hookPath(program)} HTTP/1.1`,
    host,
    `X-Purser-Event: ${id}`,
    ...(proof === "" ? [] : [`${proofHeader}: ${proof}`]),
    ...(isCut ? [`${cutHeader}: 1`] : []),
    ...told,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
}

/** Answers what shows the listener that we have the token, once it has shown that it has it. Null for anybody else. */
async function proveEachOther(socket: Socket, endpoint: HookEndpoint): Promise<string | null> {
  const { newChallenge, proofOf } = await import("../../rpc/proof.ts");
  const challenge = newChallenge();
  const answer = await ask(socket, [`GET ${proofPath} HTTP/1.1`, host, `${challengeHeader}: ${challenge}`]);
  const [proof, theirs] = (answer ?? "").split(" ");
  if (theirs === undefined || proof !== proofOf("service", { ...endpoint, challenge })) return null;
  return proofOf("client", { ...endpoint, challenge: theirs });
}

const headerEnd = "\r\n\r\n";
const longestHead = 16_384; // bytes
const none = Buffer.alloc(0);

/** Null when it is not answered well. */
function ask(socket: Socket, head: readonly string[], body: Buffer = none): Promise<string | null> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    const hear = (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const read = readAnswer(answer);
      if (read === undefined) return;
      socket.off("data", hear);
      resolve(read);
    };
    socket.on("data", hear);
    socket.once("close", () => resolve(null));
    if (socket.destroyed) resolve(null);
    else socket.write(Buffer.concat([Buffer.from(head.join("\r\n") + headerEnd), body]));
  });
}

/** Null for an answer that is none of the service's; undefined while it is not all there. */
function readAnswer(bytes: Buffer): string | null | undefined {
  const end = bytes.indexOf(headerEnd);
  if (end < 0) return bytes.length > longestHead ? null : undefined;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(?<length>\d{1,7})(?:\r\n|$)/iu.exec(head)?.groups?.["length"];
  if (!head.startsWith("HTTP/1.1 200 ") || length === undefined) return null;
  const start = end + headerEnd.length;
  if (bytes.length < start + Number(length)) return undefined;
  return bytes.toString("utf8", start, start + Number(length));
}

function textOf(record: unknown, name: string): string | null {
  const value: unknown = typeof record === "object" && record !== null ? Reflect.get(record, name) : null;
  return typeof value === "string" && value !== "" ? value : null;
}
