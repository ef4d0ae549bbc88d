import { connect, type Socket } from "node:net";
import { parseJson } from "../../base/parse.ts";
import { hookPath, type HookCaller } from "../program.ts";
import { trustIn } from "../../protocol/endpoint.ts";
import { readPrivateFile } from "../../base/private-files.ts";

/** The service's own endpoint for hooks from purser's programs: a socket or a pipe. */
export interface HookEndpoint {
  readonly address: string;
  /** Never sent: each side proves that it has it. */
  readonly token: string;
  /** Build stamp of the running service. Null if it reports none. See `build-stamp.ts`. */
  readonly build: string | null;
}

/**
 * Reads the endpoint from `service.json`, without zod, which takes longer to load than everything else here. Returns null when no
 * service that answers hooks is recorded.
 */
export function readHookEndpoint(file: string): HookEndpoint | null {
  const text = readPrivateFile(file);
  const record = text.ok && text.value !== null ? parseJson(text.value) : null;
  const [address, token] = [textOf(record, "hooks"), textOf(record, "token")];
  return address === null || token === null ? null : { address, token, build: textOf(record, "build") };
}

export interface HookPost {
  readonly program: HookCaller;
  /** Identifies the event, so that a copy in the spool is recognized if the service took it without our receiving the answer. */
  readonly id: string;
  readonly body: Buffer;
  readonly isCut: boolean;
  /** Further header lines, without line breaks: see `forwardedVariables`. */
  readonly headers: readonly string[];
}

/**
 * Posts a hook with a hand-written HTTP request, as Node's own client loads slowly. Returns null if nothing
 * accepted it. Sends nothing to a listener that may be another user's: see `trustIn`, and `proof.ts` for
 * addresses that prove nothing by themselves.
 */
export async function postHook(
  endpoint: HookEndpoint,
  post: HookPost,
  trust = trustIn(endpoint.address),
): Promise<string | null> {
  if (trust === "foreign" || trust === "gone") return null;
  const socket = connect(endpoint.address);
  // A `close` event follows.
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

function requestOf({ program, id, body, isCut, headers }: HookPost, proof: string): string[] {
  return [
    `POST ${hookPath(program)} HTTP/1.1`,
    host,
    `X-Purser-Event: ${id}`,
    ...(proof === "" ? [] : [`${proofHeader}: ${proof}`]),
    ...(isCut ? [`${cutHeader}: 1`] : []),
    ...headers,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
}

/** Returns the proof that we have the token, once the listener has proved that it has it. Null for any other listener. */
async function proveEachOther(socket: Socket, endpoint: HookEndpoint): Promise<string | null> {
  const { newChallenge, proofOf } = await import("../../protocol/proof.ts");
  const challenge = newChallenge();
  const answer = await ask(socket, [`GET ${proofPath} HTTP/1.1`, host, `${challengeHeader}: ${challenge}`]);
  const [proof, theirs] = (answer ?? "").split(" ");
  if (theirs === undefined || proof !== proofOf("service", { ...endpoint, challenge })) return null;
  return proofOf("client", { ...endpoint, challenge: theirs });
}

const headerEnd = "\r\n\r\n";
const maxHeadSize = 16_384; // bytes
const none = Buffer.alloc(0);

/** Resolves to null without a proper answer. */
function ask(socket: Socket, head: readonly string[], body: Buffer = none): Promise<string | null> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const read = readAnswer(answer);
      if (read === undefined) return;
      socket.off("data", onData);
      resolve(read);
    };
    socket.on("data", onData);
    socket.once("close", () => resolve(null));
    if (socket.destroyed) resolve(null);
    else socket.write(Buffer.concat([Buffer.from(head.join("\r\n") + headerEnd), body]));
  });
}

/** Returns null for a response that is not the service's; undefined while it is incomplete. */
function readAnswer(bytes: Buffer): string | null | undefined {
  const end = bytes.indexOf(headerEnd);
  if (end < 0) return bytes.length > maxHeadSize ? null : undefined;
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
