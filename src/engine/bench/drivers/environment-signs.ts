/**
 * Signs in what an agent printed that the run died of what has nothing to do with its configuration. They are the agents' own words and
 * those of their APIs, as seen with Claude Code 2.1.x and Codex 0.16x; whatever they do not know shows by a run that used next to nothing.
 */
const signs: readonly (readonly [what: string, sign: RegExp])[] = [
  [
    "not logged in",
    /not logged in|please run \/login|invalid api key|authentication[_ ]error|oauth token|\b401\b|unauthorized/iu,
  ],
  ["not allowed", /\b403\b|permission_error|oauth_org_not_allowed|account_on_hold|verification_required/iu],
  [
    "quota",
    /usage limit|limit reached|hit your .{0,20}limit|rate[_ ]limit|quota|credit balance|billing_error|insufficient_quota|\b429\b/iu,
  ],
  ["the API was overloaded", /overloaded|\b529\b|\b50[0234]\b|internal server error|server_error/iu],
  [
    "no such model",
    /model_not_found|not_found_error|model .{0,80}(?:does not exist|not found|not available)/iu,
  ],
  [
    "network",
    /connection error|connection refused|econnre|enotfound|etimedout|eai_again|fetch failed|network error|stream disconnected|unable to connect/iu,
  ],
];

/** Which sign of the environment a text has, in words; null for none. */
export function environmentSign(text: string): string | null {
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? null;
}

/** A run that failed with fewer processing tokens never got to work. The cheapest real one is far above. */
export const fewestTokens = 1000;
