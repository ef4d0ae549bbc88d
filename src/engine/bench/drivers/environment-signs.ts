import { sentence, type Sentence } from "../../base/language.ts";

/**
 * Returns a pattern for an HTTP status. A bare number is none: an error of a request may name `messages.403.content`,
 * and a stack trace a line.
 */
function status(codes: string): string {
  const before = String.raw`(?:^|\b(?:error|status|code|http(?:/[\d.]+)?)["']?(?: code)?)[\s:="'([]*`;
  const after =
    "(?:unauthorized|forbidden|too many|bad gateway|service unavailable|gateway|internal|overloaded)";
  return String.raw`${before}(?:${codes})\b(?![.:]\d)|\b(?:${codes}) ${after}`;
}

/**
 * Signs in an agent's output that the run failed for reasons unrelated to its configuration. The patterns are
 * the words of the agents and their APIs, as seen with Claude Code 2.1.x and Codex 0.16x. Other causes show
 * as a run that used next to nothing.
 */
const signs: readonly (readonly [what: Sentence, sign: RegExp])[] = [
  [
    sentence("not logged in"),
    new RegExp(
      String.raw`not logged in|please run /login|invalid api key|authentication[_ ]error|oauth token|unauthorized|${status("401")}`,
      "iu",
    ),
  ],
  [
    sentence("not allowed"),
    new RegExp(
      `permission_error|oauth_org_not_allowed|account_on_hold|verification_required|${status("403")}`,
      "iu",
    ),
  ],
  [
    sentence("quota"),
    // A full context is a fault of the session, which waiting does not mend.
    new RegExp(
      `usage limit|(?<!(?:context|window|length|conversation|turns?) )limit reached|hit your .{0,20}limit|rate[_ ]limit|quota|credit balance|billing_error|insufficient_quota|${status("429")}`,
      "iu",
    ),
  ],
  [
    sentence("the API was overloaded"),
    new RegExp(`overloaded|internal server error|server_error|${status("529|50[0234]")}`, "iu"),
  ],
  [
    sentence("no such model"),
    /model_not_found|not_found_error|model .{0,80}(?:does not exist|not found|not available)/iu,
  ],
  [
    sentence("network"),
    /connection error|connection refused|econnre|enotfound|etimedout|eai_again|fetch failed|network error|stream disconnected|unable to connect/iu,
  ],
];

/** Returns the sign of the environment in a text, in words. Null if there is none. */
export function environmentSign(text: string): Sentence | null {
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? null;
}

/** A failed run with fewer processing tokens never got to work. Even the cheapest real run uses far more. */
export const minTokens = 1000;
