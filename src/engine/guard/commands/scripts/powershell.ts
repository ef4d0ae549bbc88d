import type { Effort } from "../../effort.ts";

/** Variables of one command line that are followed. */
const mostVariables = 20;
/** Longest value of one. Characters. */
const longestValue = 200;
/** Longest text with all values. Characters. */
const longestText = 16_000;

// No part of a pattern is unbounded: of a text of blanks or brackets each place would be looked at from each other one.
const assignment =
  /\$(\w{1,60})\s{0,9}=\s{0,9}(?:'([^'\n]{0,200})'|"((?:[^"$`\n]|\$(?:env:\w{1,60}\b|HOME\b)){0,200})"|((?:\$env:\w{1,60}|\$HOME|~)[^\s"'$`;|&(){}]{0,200}))/giu;
/** A path of two parts. */
const joining =
  /\(?Join-Path\s{1,9}(?:-Path\s{1,9})?["']?((?:\$env:\w{1,60}|\$HOME|~|[A-Za-z]:)[^\s"'$`;|&(){}]{0,200})["']?\s{1,9}(?:-ChildPath\s{1,9})?["']?([^\s"'$`;|&(){}]{1,200})["']?\)?/giu;
/** A text that becomes a script, and one in brackets that is run. */
const scriptBlock = /\[(?:System\.Management\.Automation\.)?scriptblock\]::Create\(/giu;
const bracketedText = /\b(?:iex|Invoke-Expression)\s{0,9}\(\s{0,9}(?=["'])/giu;
/** Two texts that are joined. */
const joined = /(["'])([^"'`$\n]{0,200})\1\s{0,9}\+\s{0,9}(["'])([^"'`\n]{0,200})\3/gu;
/** Texts that are put together of more parts are not joined. */
const maxJoins = 5;
/** Methods of .NET that delete, with the literal that they are given. */
const deleting =
  /\[(?:System\.)?IO\.(?:Directory|File)\]::Delete\(\s{0,9}((['"])[^'"\n]{0,300}\2|\$HOME|\$env:USERPROFILE)[^)\n]{0,99}\)/giu;
/** Objects of .NET that download. */
const downloading =
  /(?:\(\s{0,9})?New-Object\s{1,9}(?:System\.)?Net\.WebClient\s{0,9}\)?\s{0,9}\.Download(?:String|Data|File)\s{0,9}\(\s{0,9}([^)\n]{0,300})\)/giu;

/** Objects of .NET that upload a file. */
const uploading =
  /(?:\(\s{0,9})?New-Object\s{1,9}(?:System\.)?Net\.WebClient\s{0,9}\)?\s{0,9}\.Upload(?:File|Data)\s{0,9}\(\s{0,9}(['"][^'"\n]{0,300}['"])\s{0,9},\s{0,9}(['"][^'"\n]{0,300}['"])/giu;
/** A text that is decoded from a literal. */
const decoding =
  /\(?\s{0,9}\[(?:System\.)?(?:Text\.)?(?:Encoding|ASCIIEncoding|UnicodeEncoding)\]::(UTF8|Unicode|ASCII|Default)\.GetString\(\s{0,9}\[(?:System\.)?Convert\]::FromBase64String\(\s{0,9}["']([A-Za-z0-9+/=]{4,4000})["']\s{0,9}\)\s{0,9}\)\s{0,9}\)?/giu;
/** A loop over what a command lists. */
const looping = /\bforeach\s{0,9}\(\s{0,9}\$\w{1,60}\s{1,9}in\s{1,9}\(?([^()$\n]{1,200})\)?\s{0,9}\)/giu;

/** Writes variables that the line itself sets as their values, and methods of .NET as the commands that do the same. */
export function plainPowerShell(text: string, effort: Effort): string {
  return withValues(withJoined(withDecoded(text).replaceAll(joining, "$1\\$2")), effort)
    .replaceAll(scriptBlock, "Invoke-Expression (")
    .replaceAll(bracketedText, "Invoke-Expression ")
    .replaceAll(deleting, "Remove-Item -Recurse -Force $1")
    .replaceAll(uploading, "(Invoke-WebRequest $1 -InFile $2")
    .replaceAll(looping, "$1 | ForEach-Object ")
    .replaceAll(downloading, "(Invoke-WebRequest $1)");
}

function withDecoded(text: string): string {
  return text.replaceAll(decoding, (_all, encoding: string, hidden: string) => {
    const bytes = Buffer.from(hidden, "base64");
    const plain = bytes.toString(/^unicode$/iu.test(encoding) ? "utf16le" : "utf8");
    return `'${plain.replaceAll("'", "''")}'`;
  });
}

function withJoined(text: string): string {
  let plain = text;
  for (let join = 0; join < maxJoins && plain.includes("+"); join += 1)
    plain = plain.replaceAll(
      joined,
      (_all, _one, first: string, quote: string, second: string) => `${quote}${first}${second}${quote}`,
    );
  return plain;
}

function withValues(text: string, effort: Effort): string {
  let whole = text;
  const assignments = [...text.matchAll(assignment)];
  if (assignments.length > mostVariables) effort.leaveOut();
  for (const match of assignments.slice(0, mostVariables)) {
    const [written, name = "", single, double, bare] = match;
    const value = single ?? double ?? bare ?? "";
    if (value === "" || value.length > longestValue) continue;
    const at = whole.indexOf(written) + written.length;
    const word = /\s/u.test(value) ? `'${value}'` : value;
    const use = new RegExp(`\\$(?:${name}\\b(?!\\s{0,9}=|:)|\\{${name}\\})`, "giu");
    const filled = whole.slice(0, at) + whole.slice(at).replaceAll(use, () => word);
    if (filled.length > longestText) effort.leaveOut();
    whole = filled.slice(0, longestText);
  }
  return whole;
}
