/** A word of letters and digits: words of a text rarely mix them, and passwords mostly do. */
const mixed = String.raw`(?=[^\s"'<>]{0,80}\d)(?=[^\s"'<>]{0,80}[A-Za-z])(?![a-z]{1,40}[-_.]?\d{1,3}(?![\w$%!]))[^\s"'<>,;)|&]{6,}`;
/** A value as a shell has it: in quotes, or up to white space. */
const word = String.raw`(?:\[secret\]|\\?"[^"\n]*"|'[^'\n]*'|[^\s"'|;&)]+)`;
/** The text between a program and its option, within one command. */
const within = String.raw`\b[^|;&\n]{0,160}?\s`;

/** Programs with the option before a password. */
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

/**
 * Patterns of secrets by their command, header or statement, each with its replacement. Only the place
 * identifies a secret that looks like an ordinary word.
 */
export const commandPatterns: readonly (readonly [RegExp, string])[] = [
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
  // ENCRYPTION_KEY=…, X-Auth-Key: …
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
