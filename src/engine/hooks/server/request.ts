import type { IncomingMessage } from "node:http";
import { fail, succeed, type Result } from "../../base/result.ts";
import { entryHeader, programOfPath, teamsHeader, type HookProgram } from "../program.ts";
import type { HookPlace } from "./address.ts";
import { cutHeader } from "./post.ts";
import type { HookProofs } from "./proofs.ts";
import { isToken } from "../../rpc/token.ts";

/** Why a request is not looked at, and the status that says so. */
export const refusals = {
  not_found: 404,
  wrong_method: 405,
  wrong_host: 403,
  from_a_page: 403,
  unauthenticated: 401,
} as const;
export type HookRefusal = keyof typeof refusals;

/** A hook that was sent by a program of ours has an id already: told again it is the same. */
const eventId = /^[\w-]{8,64}$/u;

export interface HookRequest {
  readonly program: HookProgram;
  /** Null where the caller gave none. */
  readonly id: string | null;
  /** Agents of a team may write to each other in this session. */
  readonly hasTeams: boolean;
  /** Somebody sees what the agent asks. */
  readonly isAttended: boolean;
  /** What is sent is only the beginning of what the agent told. */
  readonly isCut: boolean;
}

/**
 * Holds a request against what a hook of the user's own agent looks like, before any of its body is read. A page in a
 * browser can reach loopback too: it cannot know the token, its `Host` may be a name of its own, and it says where it is from.
 */
export function checkRequest(asked: Asked, { port, token }: HookPlace): Result<HookRequest, HookRefusal> {
  const { headers } = asked;
  const request = readRequest(asked);
  if (!request.ok) return request;
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`)
    return fail("wrong_host", "this is not the host asked for");
  if (headers.origin !== undefined) return fail("from_a_page", "pages are not answered");
  const shown = /^Bearer (?<token>\S{1,512})$/u.exec(headers.authorization ?? "")?.groups?.["token"];
  if (shown === undefined || !isToken(shown, token)) return fail("unauthenticated", "the token is wrong");
  // Only programs of ours cut what they hand over.
  return succeed({ ...request.value, isCut: false });
}

/** The same of a request on the endpoint of the user's own, where nobody else connects, or whoever does has proved to be this user. */
export function checkOwnRequest(
  request: IncomingMessage,
  proofs: Pick<HookProofs, "isShown">,
): Result<HookRequest, HookRefusal> {
  const read = readRequest(request);
  if (!read.ok || proofs.isShown(request)) return read;
  return fail("unauthenticated", "the proof is wrong");
}

type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

function readRequest({
  method,
  url = "",
  headers,
}: Asked): Result<HookRequest, "not_found" | "wrong_method"> {
  const program = programOfPath(url);
  if (program === undefined) return fail("not_found", "hooks are posted to /hook/AGENT");
  if (method !== "POST") return fail("wrong_method", "hooks are posted");
  const id = headers["x-purser-event"];
  return succeed({
    program,
    id: typeof id === "string" && eventId.test(id) ? id : null,
    hasTeams: isSet(headers[teamsHeader]),
    // `sdk-cli` is `claude -p`; of a program that is built on the agent nobody knows whether it asks. Others are terminals and editors.
    isAttended: !String(headers[entryHeader] ?? "").startsWith("sdk"),
    isCut: headers[cutHeader] !== undefined,
  });
}

/** As agents read a variable of their environment that is there to switch something on. */
function isSet(value: string | string[] | undefined): boolean {
  return typeof value === "string" && /^(?:1|true|yes|on)$/iu.test(value);
}
