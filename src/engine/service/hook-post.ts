import { connect } from "node:net";
import { hookPath, type HookProgram } from "../guard/hook-program.ts";
import { readPrivateFile } from "./private-file.ts";

interface HookAddress {
  readonly port: number;
  readonly token: string;
}

/** As `readHookPlace`, without the library that takes longer to load than all else here. Null when there is none. */
export function readHookAddress(file: string): HookAddress | null {
  const text = readPrivateFile(file);
  if (!text.ok || text.value === null) return null;
  const place: unknown = JSON.parse(text.value);
  if (typeof place !== "object" || place === null || !("port" in place) || !("token" in place)) return null;
  const { port, token } = place;
  const isPort = Number.isInteger(port) && typeof port === "number" && port > 0 && port < 65_536;
  return isPort && typeof token === "string" && /^[\w-]+$/u.test(token) ? { port, token } : null;
}

export interface HookPost extends HookAddress {
  readonly program: HookProgram;
  /** Should the service have taken it without our hearing so, it knows it again in the spool. */
  readonly id: string;
  readonly body: Buffer;
  /** Further headers: see `toldVariables`. No line breaks are in them. */
  readonly told: readonly string[];
}

const headerEnd = "\r\n\r\n";

/** Posts a hook by hand, as Node's own client takes a while to load. Null when nobody took it. */
export function postHook({ port, token, program, id, body, told }: HookPost): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const head = [
      `POST ${hookPath(program)} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      `X-Purser-Event: ${id}`,
      ...told,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Connection: close",
    ].join("\r\n");
    socket.write(Buffer.concat([Buffer.from(head + headerEnd), body]));
    let answer = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const read = readAnswer(answer);
      if (read === undefined) return;
      socket.destroy();
      resolve(read);
    });
    // `close` follows.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(null));
  });
}

/** Null for an answer that is none of the service's; undefined while it is not all there. */
function readAnswer(bytes: Buffer): string | null | undefined {
  const end = bytes.indexOf(headerEnd);
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(?<length>\d{1,7})(?:\r\n|$)/iu.exec(head)?.groups?.["length"];
  if (!head.startsWith("HTTP/1.1 200 ") || length === undefined) return null;
  const start = end + headerEnd.length;
  if (bytes.length < start + Number(length)) return undefined;
  return bytes.toString("utf8", start, start + Number(length));
}
