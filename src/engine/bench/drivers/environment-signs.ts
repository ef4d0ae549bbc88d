import { english } from "../../base/text/english.ts";

/**
 * Signs in an agent's output that the run failed for reasons unrelated to its configuration. The patterns are
 * the words of the agents and their APIs, as seen with Claude Code 2.1.x and Codex 0.16x. Other causes show
 * as a run that used next to nothing.
 */
const signs: readonly (readonly [what: string, sign: RegExp])[] = [
  [
    english("not logged in"),
    /not logged in|please run \/login|invalid api key|authentication[_ ]error|oauth token|\b401\b|unauthorized/iu,
  ],
  [
    english("not allowed"),
    /\b403\b|permission_error|oauth_org_not_allowed|account_on_hold|verification_required/iu,
  ],
  [
    english("quota"),
    /usage limit|limit reached|hit your .{0,20}limit|rate[_ ]limit|quota|credit balance|billing_error|insufficient_quota|\b429\b/iu,
  ],
  [english("the API was overloaded"), /overloaded|\b529\b|\b50[0234]\b|internal server error|server_error/iu],
  [
    english("no such model"),
    /model_not_found|not_found_error|model .{0,80}(?:does not exist|not found|not available)/iu,
  ],
  [
    english("network"),
    /connection error|connection refused|econnre|enotfound|etimedout|eai_again|fetch failed|network error|stream disconnected|unable to connect/iu,
  ],
];

/** Returns the sign of the environment in a text, in words. Null if there is none. */
export function environmentSign(text: string): string | null {
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? null;
}

/** A failed run with fewer processing tokens never got to work. Even the cheapest real run uses far more. */
export const minTokens = 1000;
