/** Replaces a secret. */
const removed = "[secret]";

/** Each pattern with its replacement, which keeps the secret's name: names are not secret. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu, removed],
  // user:password@host
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s/@:]*:[^\s/@]+@/giu, `$1${removed}@`],
  [
    /\b((?:authorization|proxy-authorization)\s*[:=]\s*["']?(?:bearer|basic|token)?\s*)[^\s"',;]+/giu,
    `$1${removed}`,
  ],
  [/\b(bearer\s+)[\w.~+/-]{16,}=*/giu, `$1${removed}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/gu, removed],
  [/\b(?:sk|pk|rk)[-_](?:ant-|proj-|live_|test_|or-)?[\w-]{16,}/gu, removed],
  [/\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bnpm_\w{20,}|\bhf_\w{20,}/gu, removed],
  [/\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}/gu, removed],
  [/\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z\d]{16}\b/gu, removed],
  [/\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}/gu, removed],
  [/\b\d{8,10}:AA[\w-]{30,}/gu, removed],
  // Vendors that begin their keys with a name of their own.
  [
    /\b(?:pypi-|rubygems_|dckr_pat_|whsec_|GOCSPX-|shp(?:at|ca|pa|ss)_|do[opr]_v1_|dapi(?=[\da-f]{20})|glsa_|lin_api_|ntn_|figd_|sbp_|pscale_\w{2,8}_|NRAK-|AGE-SECRET-KEY-1|key-(?=[\da-f]{20}))[\w-]{16,}|\b(?:SG|hv[bs])\.[\w-]{16,}[\w.-]*/gu,
    removed,
  ],
  // curl -u user:password, mysql -ppassword, .netrc
  [/(\s(?:-u|--user)[= ]\s*["']?[^\s:"']+:)[^\s"']+/gu, `$1${removed}`],
  [/(\b(?:mysql|mariadb)\w*\b[^|;&\n]*?\s-p)[^\s"']+/gu, `$1${removed}`],
  [/(\blogin\s+\S+\s+password\s+)\S+/gu, `$1${removed}`],
  // PASSWORD=…, "apiKey": "…", --token …
  [
    /(["']?[\w.-]*(?:password|passwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential)s?["']?\s*(?:[:=]|=>)\s*)(?:"[^"\n]*"|'[^'\n]*'|[^\s,;)}\]]+)/giu,
    `$1${removed}`,
  ],
  [/(--?[\w-]*(?:password|secret|token|api-?key)[= ]\s*)\S+/giu, `$1${removed}`],
  [/[\w.+-]+@[\w-]+\.[\w.-]*[A-Za-z]{2,}/gu, "[address]"],
];

/** Long meaningless words: keys of unknown vendors. Paths and names contain words. */
const long = /[A-Za-z\d+/_=-]{32,}/gu;
/** Entropy in bits per character; random letters and digits have more than 4, words less. */
const fewestBits = 3.8;

/** Removes what looks like a secret from a text. Removes too much rather than too little, and adds nothing. */
export function scrub(text: string): string {
  let scrubbed = text;
  for (const [pattern, instead] of patterns) scrubbed = scrubbed.replace(pattern, instead);
  return scrubbed.replace(long, (word) => (isRandom(word) ? removed : word));
}

function isRandom(word: string): boolean {
  if (/^[a-f\d]+$/iu.test(word)) return /\d/u.test(word);
  const pieces = word.split(/[/_=+-]/u).toSorted((one, other) => other.length - one.length);
  const [longest = ""] = pieces;
  // Hexadecimal digits have too few bits each to tell them by.
  if (longest.length >= 24 && /^[a-f\d]+$/iu.test(longest)) return /\d/u.test(longest);
  return (
    longest.length >= 20 && /\d/u.test(longest) && /[a-z]/iu.test(longest) && bitsOf(longest) >= fewestBits
  );
}

function bitsOf(word: string): number {
  const counts = new Map<string, number>();
  for (const letter of word) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}
