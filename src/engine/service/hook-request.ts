import type { IncomingMessage } from "node:http";
import { fail, succeed, type Result } from "../base/result.ts";
import { entryHeader, programOfPath, teamsHeader, type HookProgram } from "../guard/hook-program.ts";
import type { HookPlace } from "./hook-place.ts";
import { isToken } from "./token.ts";

/** Why a request is not looked at, and the status that says so. */
export const refusals = {
  not_found: 404,
  wrong_method: 405,
  wrong_host: 403,
  from_a_page: 403,
  unauthenticated: 401,
  too_large: 413,
} as const;
export type HookRefusal = keyof typeof refusals;

/** What a tool answered may be large; a hook's body has it whole. Bytes. */
export const largestBody = 8 * 1024 * 1024;

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
}

/**
 * Holds a request against what a hook of the user's own agent looks like, before any of its body is read. A page in a
 * browser can reach loopback too: it cannot know the token, its `Host` may be a name of its own, and it says where it is from.
 */
export function checkRequest(
  { method, url = "", headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  { port, token }: HookPlace,
): Result<HookRequest, HookRefusal> {
  const program = programOfPath(url);
  if (program === undefined) return fail("not_found", "hooks are posted to /hook/AGENT");
  if (method !== "POST") return fail("wrong_method", "hooks are posted");
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`)
    return fail("wrong_host", "this is not the host asked for");
  if (headers.origin !== undefined) return fail("from_a_page", "pages are not answered");
  const shown = /^Bearer (?<token>\S{1,512})$/u.exec(headers.authorization ?? "")?.groups?.["token"];
  if (shown === undefined || !isToken(shown, token)) return fail("unauthenticated", "the token is wrong");
  if (Number(headers["content-length"] ?? 0) > largestBody)
    return fail("too_large", `a hook's body has at most ${largestBody} bytes`);
  const id = headers["x-purser-event"];
  return succeed({
    program,
    id: typeof id === "string" && eventId.test(id) ? id : null,
    hasTeams: isSet(headers[teamsHeader]),
    // `sdk-cli` is `claude -p`; of a program that is built on the agent nobody knows whether it asks. Others are terminals and editors.
    isAttended: !String(headers[entryHeader] ?? "").startsWith("sdk"),
  });
}

/** As agents read a variable of their environment that is there to switch something on. */
function isSet(value: string | string[] | undefined): boolean {
  return typeof value === "string" && /^(?:1|true|yes|on)$/iu.test(value);
}
