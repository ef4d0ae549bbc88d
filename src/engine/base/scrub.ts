import { parseJson } from "./parse.ts";
import { cleanText } from "./text/text.ts";

/** A word of letters and digits: words of a text rarely mix them, and passwords mostly do. */
const mixed = String.raw`(?=[^\s"'<>]{0,80}\d)(?=[^\s"'<>]{0,80}[A-Za-z])(?![a-z]{1,40}[-_.]?\d{1,3}(?![\w$%!]))[^\s"'<>,;)|&]{6,}`;
/** A value as a shell has it: in quotes, or up to white space. */
const word = String.raw`(?:\[secret\]|\\?"[^"\n]*"|'[^'\n]*'|[^\s"'|;&)]+)`;
/** The text between a program and its option, within one command. */
const within = String.raw`\b[^|;&\n]{0,160}?\s`;

const options: readonly (readonly [string, string])[] = [
  ["(?:un)?zip", "-P\\s*(?!\\.)"],
  ["(?:sqlcmd|bcp|tsql|isql|mosquitto_\\w+|ipmitool)", "-P\\s*"],
  ["(?:cqlsh|ncftp\\w*|useradd|usermod|un?rar|mongo\\w*|ldap\\w+)", "-[pw]\\s*"],
  ["openssl", "-[kK]\\s+"],
  ["(?:smbclient|rpcclient|smbget|wmic|net)", "-U\\s*[\"']?[^\\s\"'%]+%"],
  ["(?:plink|pscp|psftp|putty)", "-pw\\s+"],
  ["xfreerdp\\w*|rdesktop|mstsc", "(?:/p:|-p\\s+)"],
  ["security", "-w\\s+"],
  ["(?:lftp)", "-u\\s+[^\\s,]+,"],
  ["(?:https?|xh)", "(?:-a|--auth)[= ]\\s*[^\\s:]+:"],
  ["redis-cli", "-a\\s*"],
  ["influx", "-password\\s+"],
  ["(?:sqlplus|impdp|expdp|sqlldr)", "[\"']?\\w+\\/(?!\\s)"],
  ["kubectl|oc", "--from-literal[= ][\\w.-]+="],
  [
    "(?:gh|fly|flyctl|doppler|supabase|wrangler|vercel|netlify)\\s+(?:secrets?|variable|env)",
    "(?:--body[= ]|-b\\s|[A-Z_\\d]+=)\\s*",
  ],
];

const commandPatterns: readonly (readonly [RegExp, string])[] = [
  ...options.map(
    ([program, option]) =>
      [new RegExp(String.raw`(\b(?:${program})${within}${option})${word}`, "gu"), "$1[secret]"] as const,
  ),
  [
    new RegExp(
      String.raw`(\bhtpasswd\s+(?:-\w+\s+){0,9}?-[\da-mo-zA-Z_]*n\w*\s+(?:-\w+\s+){0,9}\S+\s+)${word}`,
      "gu",
    ),
    "$1[secret]",
  ],
  [
    new RegExp(String.raw`(\bhtpasswd\s+(?:-[a-mo-zA-Z]+\s+){1,9}[^\s-]\S*\s+\S+\s+)${word}`, "gu"),
    "$1[secret]",
  ],
  [new RegExp(String.raw`(\bnet\s+user\s+\S+\s+)(?![/*])${word}`, "giu"), "$1[secret]"],
  [new RegExp(String.raw`(\bvault\s+login\s+)(?!-)${word}`, "gu"), "$1[secret]"],
  [
    new RegExp(String.raw`(\b(?:secrets?\s+put|auth\s+login)\b[^|;&\n]{0,120}?<<<\s*)${word}`, "gu"),
    "$1[secret]",
  ],
  [new RegExp(String.raw`(\boathtool\b[^|;&\n]{0,80}\s)[A-Z2-7]{16,}`, "gu"), "$1[secret]"],
  [new RegExp(String.raw`(\bConvertTo-SecureString\s+(?:-String\s+)?)(?!\$)${word}`, "giu"), "$1[secret]"],
  [new RegExp(String.raw`(\bwpa_passphrase\s+\S+\s+)${word}`, "gu"), "$1[secret]"],
  // A program that asks for a password reads it from a pipe.
  [
    /(\b(?:echo|printf|print)\s+(?:-\w+\s+){0,9}["']?)(?![$-])[^\s"'|]+(?=["']?\s*(?:\||<)\s*(?:sudo\s+(?:-\w+\s+){0,9})?(?:sudo\s+-S|-S\b|ch?passwd\b|passwd\b|[^|\n]{0,200}--(?:password-stdin|with-token|stdin)\b))/gu,
    "$1[secret]",
  ],
  // SQL, configuration
  [
    /(\b(?:identified\s+(?:with\s+\w+\s+)?by|password(?:\s+for\s+\S+)?(?:\s*=)?)\s+\\?["'])[^"'\s\\]+(?=\\?["'])/giu,
    "$1[secret]",
  ],
  [new RegExp(String.raw`(\b(?:requirepass|masterauth|AUTH)\s+)${mixed}`, "gu"), "$1[secret]"],
  [/(<[\w:.-]{0,60}(?:password|passwd|secret|token|api-?key)>)[^<\n]+(?=<\/)/giu, "$1[secret]"],
  [
    /((?:key|name)=\\?["'][\w:.-]{0,60}(?:password|passwd|secret|token|api-?key|connectionstring)\\?["']\s+value=\\?["'])[^"'\\]+/giu,
    "$1[secret]",
  ],
  [/(\bPrivate-Lines:\s*\d+(?:\n|\\n|\s))[\w+/=\n]+/gu, "$1[secret]"],
  [
    /((?:[_-]|[a-z](?=K))key\\?["']?\s*[:=]\s*\\?["']?(?:base64:)?)(?=[A-Za-z+/]*\d)[A-Za-z\d+/]{20,}={0,2}/giu,
    "$1[secret]",
  ],
  // SSHPASS=…, smtp_pass: …, pw=…
  [
    new RegExp(String.raw`((?:pass(?:wd|word)?|\bpw|\bpwd|\bpsk)\\?["']?\s*[:=]\s*\\?["']?)${mixed}`, "giu"),
    "$1[secret]",
  ],
  // token V, password 'V', passphrase for the key: V
  [
    new RegExp(
      String.raw`((?:password|passwd|passwort|kennwort|passphrase|secret|token|api[-_ ]?key|access_key|\bpw)(?:(?:\s+[a-z]+){0,4}\s*:)?\s+\\?["']?)${mixed}`,
      "giu",
    ),
    "$1[secret]",
  ],
  [/(?<![\w/])[12](?:\/\d{10,})?\/\d{10,}:[\da-f]{32}\b/gu, "[secret]"],
  [/(\bZugangsdaten:?\s+\S+\s*[/:]\s*)\S+/giu, "$1[secret]"],
];

const removed = "[secret]";

/** A value as it follows its name: in quotes, or up to white space. */
const value = String.raw`(?:\[secret\]|\\?"[^"\n]*"|'[^'\n]*'|[^\s,;)}\]&]+)`;
/** Beginnings that vendors give to their keys. */
const beginnings = [
  "pypi-|rubygems_|dckr_[op]at_|whsec_|GOCSPX-|shp(?:at|ca|pa|ss)_|do[opr]_v1_|dapi(?=[\\da-f]{20})|gl(?:sa|c)_",
  "lin_api_|ntn_|secret_|figd_|sbp_|pscale_\\w{2,8}_|NRAK-|NRJS-|AGE-SECRET-KEY-1|key-(?=[\\da-f]{20})|PMAK-|HRKU-",
  "gsk_|xai-|pplx-|r8_|tvly-|nvapi-|lsv2_[ps][tk]_|ABSK|hf_|npm_|gh[pousr]_|github_pat_|gl(?:pat|rt|dt|cbt|ptt|ft|oas|agent)-",
  "ATATT3|ATBB|ATCTT3|sq0(?:atp|csp|idp)-|shippo_(?:live|test)_|xkeysib-|xsmtpsib-|sntry[su]_|tskey-|ph[cx]_|ops_eyJ",
  "nfp_|rnd_|vc[pkra]_|CCIPAT_|CFPAT-|bkua_|LTAI|AKID|AKCp|sq[upa]_|pul-|FLWSECK|duffel_|sgp_|EZ[AT]K|nsec1|fm[12]_|fo1_",
].join("|");
/** Names of secrets. A number of tokens is not a secret. */
const names =
  "(?:password|passwd|passwort|kennwort|passphrase|secret|token(?!s[\"']?\\s*[:=]\\s*\\d+\\b)|(?:api|access|account)[-_ ]?key|private[-_]?key(?:[-_]?id)?|credential|(?:api|zugangs)[-_ ]?schl(?:ü|ue)ssel|mot de passe|contraseña|senha|пароль|токен|パスワード|暗証番号|トークン|APIキー|密码|密碼|密钥|密鑰|비밀번호)";

/** A JSON web token, and what adjoins it. It is looked for once in a run of its letters, which may be a whole file. */
const webToken = /(?<![\w-])(?=[\w-]+\.)([\w-]*?\b)eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/gu;
const adjoinedWebToken = /(?<![\w-])(?=[\w-]+\.)([\w-]*?)eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/gu;

/** Keys in a vendor's own format: they are secrets in any place. */
const keys: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk)[-_](?:ant-|proj-|live_|test_|or-)?[\w-]{16,}/gu, removed],
  [/\bxox[a-z](?:\.xox[a-z])?-[\w-]{10,}|\bxapp-[\w-]{10,}/gu, removed],
  [/(?<![A-Za-z\d])(?:AKIA|ASIA|ABIA|ACCA)[A-Z\d]{16}(?![A-Za-z\d])/gu, removed],
  [/\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\b1\/\/0[\w-]{30,}/gu, removed],
  // Telegram, Discord
  [/(?<!\d)\d{8,10}:AA[\w-]{30,}/gu, removed],
  [/(?<![\w-])(?:mfa\.[\w-]{60,}|[MNO][\w-]{22,28}\.[\w-]{5,7}\.[\w-]{25,50})/gu, removed],
  [new RegExp(String.raw`(?<![A-Za-z\d])(?:${beginnings})[\w.-]{12,}`, "gu"), removed],
  [/\b(?:SG|hv[bs]|sl|dp\.(?:st|pt|sa|ct)|pat\w{14})\.(?=[\w.-]{0,100}?\d)[\w-]{16,}[\w.-]*/gu, removed],
  [
    /\b\w{14}\.atlasv1\.[\w-]{20,}|\bre_\w{6,10}_\w{16,}|\bA3(?:-[A-Z\d]{5,6}){5,6}\b|\b[\da-f]{32}-us\d{1,2}\b|\bSK[\da-f]{32}\b|\bxprv\w{60,}/gu,
    removed,
  ],
];

/** The same where other texts adjoin them without a character between, as in a file that is not read as what it is. */
const adjoined = [
  adjoinedWebToken,
  ...keys.map(
    ([{ source, flags }]) => new RegExp(source.replaceAll(/\\b|\(\?<?!(?:\[[^\]]*\]|\\d)\)/gu, ""), flags),
  ),
];

/** Returns the positions of keys in a vendor's format, with any adjoining text. */
export function adjoinedKeys(text: string): { readonly from: number; readonly to: number }[] {
  return adjoined.flatMap((key) =>
    Array.from(text.matchAll(key), ({ index, 0: found, 1: before = "" }) => ({
      from: index + before.length,
      to: index + found.length,
    })),
  );
}

/** Each pattern with its replacement, which keeps the secret's name: names are not secret. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/gu,
    removed,
  ],
  // user:password@host, token@host
  [/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/@:]*:[^\s/@]+@/giu, `$1${removed}@`],
  [/\b(https?:\/\/)[^\s/@:?#]{16,}@/giu, `$1${removed}@`],
  [
    /\b((?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks|[\w.-]{0,60}webhook\.office\.com|hooks\.zapier\.com\/hooks)\/)[^\s"'<>)]+/giu,
    `$1${removed}`,
  ],
  [
    /([?&;](?:key|sig|signature|code|auth|x-(?:amz|goog)-(?:signature|credential))=)[^\s&"'<>)]+/giu,
    `$1${removed}`,
  ],
  [/\b((?:set-)?cookie["']?\s*[:=]\s*)[^\n"']+/giu, `$1${removed}`],
  [/\b((?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|connect\.sid|sessionid)=)[^\s;"']+/giu, `$1${removed}`],
  [
    /\b((?:authorization|proxy-authorization)["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest|api-?key|negotiate|splunk|key|bot|oauth|sso-key|geniekey)\s+)?)[^\s"',;]+/giu,
    `$1${removed}`,
  ],
  [/\b(bearer\s+)(?:[\w.~+/-]{16,}=*|(?=[a-z]*\d)[\w.~+/-]{6,}=*)/giu, `$1${removed}`],
  [/\b(basic\s+)(?=[A-Za-z+/]*[\d=])[A-Za-z\d+/]{8,}={0,2}/giu, `$1${removed}`],
  [webToken, `$1${removed}`],
  ...keys,
  // curl -u user:password, mysql -ppassword, sshpass -p password, redis-cli -a password, .netrc
  [/((?:^|\s)(?:-u|--(?:proxy-)?user)[= ]?\s*["']?(?!\d+:\d+\b)[^\s:"'=]+:)[^\s"']+/gu, `$1${removed}`],
  [/(\b(?:mysql|mariadb)\w*\b[^|;&\n]{0,200}?\s-p)[^\s"']+/gu, `$1${removed}`],
  [new RegExp(String.raw`(\bsshpass\b[^|;&\n]{0,60}?\s-p\s*)${value}`, "gu"), `$1${removed}`],
  [
    new RegExp(
      String.raw`(\b(?:(?:docker|podman|helm|oras|crane|az|oc|nerdctl|skopeo)\b[^|;&\n]{0,120}?\blogin|mongo\w*|7z\w*|ldap\w+|smbclient)\b[^|;&\n]{0,200}?\s-[pw]\s*)${value}`,
      "gu",
    ),
    `$1${removed}`,
  ],
  [new RegExp(String.raw`(\bredis-cli\b[^|;&\n]{0,120}?\s-a\s+)${value}`, "gu"), `$1${removed}`],
  [/(\blogin\s+\S+\s+password\s+)\S+/gu, `$1${removed}`],
  [/(\bpass:)(?=\S{0,200}?\d)\S+/gu, `$1${removed}`],
  // PASSWORD=…, "apiKey": "…", --token …
  [
    new RegExp(
      String.raw`(${names}s?(?:[_-]?(?:key|value|base|prod|production|dev|staging|test|live|old|new|\d))*\\?["']?\s*(?:=>|[:=：])\s*)${value}`,
      "giu",
    ),
    `$1${removed}`,
  ],
  [
    new RegExp(
      String.raw`(${names}(?:\s+(?:is|ist|lautet|was|est|es)(?:\s*:)?\s+|\s*[は是]\s*)["'“「]?)(?=[^\s"'”」]{0,200}?\d)[^\s"'”」,;]+`,
      "giu",
    ),
    `$1${removed}`,
  ],
  [new RegExp(String.raw`((?:[_-]pass|\bpass|pwd)=)(?![/~$.])${value}`, "giu"), `$1${removed}`],
  [/((["'])(?:pass|pwd)\2\s*:\s*)(?:"[^"\n]*"|'[^'\n]*')/giu, `$1${removed}`],
  [/((?:\b|_)auth\\?["']?\s*[:=]\s*\\?["']?)[\w+/]{12,}={0,2}/giu, `$1${removed}`],
  [
    new RegExp(
      String.raw`((?<![\w-])--?[\w-]{0,40}(?:password|passwd|passphrase|secret|token|api[-_]?key|storepass|keypass|requirepass|-pass|-pw|-pwd)[= ]\s*)(?![-|&;])${value}`,
      "giu",
    ),
    `$1${removed}`,
  ],
  [
    /\b((?:seed|recovery|mnemonic)(?:[ _-](?:phrase|words))?["']?\s*[:=]\s*["']?)(?:(?!(?:seed|recovery|mnemonic)\b)[a-z]{3,8}\b\s*){12,24}/giu,
    `$1${removed}`,
  ],
  // The user in a repository's address is not a person.
  [/(?<![\w.+-])(?!git@)[\w.+-]+@[\w-]+\.[\w.-]*[A-Za-z]{2,}/gu, "[address]"],
];

const all = [...patterns, ...commandPatterns];

/** Long meaningless words: keys of unknown vendors. Paths and names contain words. */
const long = /[A-Za-z\d+/_=-]{32,}/gu;
/** Entropy in bits per character; random letters and digits have more than 4, words less. */
const minBits = 3.8;

/** Removes what looks like a secret from a text. Removes too much rather than too little, and adds nothing. */
export function scrub(text: string): string {
  let scrubbed = withoutCutKeys(text);
  for (const [pattern, instead] of all) scrubbed = scrubbed.replace(pattern, instead);
  return scrubbed.replace(long, (word) => (isRandom(word) ? removed : word));
}

const endOfKey = /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/gu;
const inKey = /^[A-Za-z\d+/=\s\\]$/u;

/**
 * Removes the lines of a private key above its last line. A text that is cut at its start, or comes from a damaged file, lacks the first
 * line, by which a whole key is found. The shortest of these lines look like no secret.
 */
function withoutCutKeys(text: string): string {
  let kept = "";
  let from = 0;
  for (const { 0: end, index } of text.matchAll(endOfKey)) {
    let start = index;
    while (start > from && inKey.test(text.charAt(start - 1))) start -= 1;
    // The first line is there: another pattern covers whole keys.
    if (text.slice(Math.max(from, start - 5), start) === "-----") continue;
    kept += text.slice(from, start) + removed;
    from = index + end.length;
  }
  return kept + text.slice(from);
}

/**
 * Removes keys of vendors from the name of a branch. Names are compared and may hold long words that mean nothing, so what only looks
 * like a secret stays.
 */
export function scrubName(name: string): string {
  return keys.reduce((scrubbed, [pattern, instead]) => scrubbed.replace(pattern, instead), name);
}

/**
 * Removes secrets from the first characters of a text that may be long. To be called before the text is cut to what is shown: half a secret is
 * not recognized.
 */
export function scrubStart(text: string, characters: number): string {
  return scrub(startOf(text, characters));
}

/** Makes one line of the first characters of a text, as `scrubStart` does. Cleans before: what is invisible could hide a secret. */
export function scrubLine(text: string, characters: number): string {
  return scrub(cleanText(startOf(text, characters)));
}

function startOf(text: string, characters: number): string {
  const start = text.slice(0, characters);
  // A word that is cut in two may be half a secret.
  return start.length < text.length ? start.replace(/(?<=\s)\S{1,400}$/u, "") : start;
}

/** Removes secrets from each string in a JSON text. The result is valid JSON. A text that is not JSON is scrubbed as a whole. */
export function scrubJson(json: string): string {
  const value = parseJson(json);
  if (value === undefined) return scrub(json);
  const scrubbed = JSON.stringify(scrubWithin(value, null));
  return scrubbed === JSON.stringify(value) ? json : scrubbed;
}

/** @param key the value's name in its object: a name such as "password" identifies a secret by itself */
function scrubWithin(value: unknown, key: string | null): unknown {
  if (typeof value === "string") {
    if (key === null) return scrub(value);
    const named = scrub(`${key}=${JSON.stringify(value)}`);
    return named === `${key}=${removed}` ? removed : scrub(value);
  }
  if (Array.isArray(value)) return value.map((each) => scrubWithin(each, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [scrub(name), scrubWithin(each, name)]),
  );
}

function isRandom(word: string): boolean {
  // Checksums and Git's names of commits have these lengths. A key of such a length mostly follows its name.
  if (/^(?:[a-f\d]{32}|[a-f\d]{40}|[a-f\d]{64}|[a-f\d]{128})$/u.test(word)) return false;
  if (/^[a-f\d]+$/iu.test(word)) return /\d/u.test(word);
  const pieces = word.split(/[/_=+-]/u).toSorted((one, other) => other.length - one.length);
  const [longest = ""] = pieces;
  // Hexadecimal digits have too few bits each for the entropy test.
  if (longest.length >= 24 && /^[a-f\d]+$/iu.test(longest)) return /\d/u.test(longest);
  return longest.length >= 20 && /\d/u.test(longest) && /[a-z]/iu.test(longest) && bitsOf(longest) >= minBits;
}

function bitsOf(word: string): number {
  const counts = new Map<string, number>();
  for (const letter of word) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}
