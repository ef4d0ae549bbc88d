/** Variables of one command line that are followed. */
const mostVariables = 20;
/** Longest value of one. Characters. */
const longestValue = 200;
/** Longest text with all values. Characters. */
const longestText = 16_000;

const assignment = /\$(\w{1,60})\s*=\s*(?:'([^'\n]*)'|"([^"$`\n]*)")/gu;
/** Methods of .NET that delete, with the literal that they are given. */
const deleting = /\[(?:System\.)?IO\.(?:Directory|File)\]::Delete\(\s*((['"])[^'"\n]*\2)[^)\n]*\)/giu;
/** Objects of .NET that download. */
const downloading =
  /\(?\s*New-Object\s+(?:System\.)?Net\.WebClient\s*\)?\s*\.Download(?:String|Data|File)\s*\(\s*([^)\n]*)\)/giu;

/** Writes variables that the line itself sets as their values, and methods of .NET as the commands that do the same. */
export function plainPowerShell(text: string): string {
  return withValues(text)
    .replaceAll(deleting, "Remove-Item -Recurse -Force $1")
    .replaceAll(downloading, "(Invoke-WebRequest $1)");
}

function withValues(text: string): string {
  let whole = text;
  for (const match of [...text.matchAll(assignment)].slice(0, mostVariables)) {
    const [written, name = "", single, double] = match;
    const value = single ?? double ?? "";
    if (value === "" || value.length > longestValue) continue;
    const at = whole.indexOf(written) + written.length;
    const word = /\s/u.test(value) ? `'${value}'` : value;
    const use = new RegExp(`\\$(?:${name}\\b(?!\\s*=|:)|\\{${name}\\})`, "giu");
    whole = (whole.slice(0, at) + whole.slice(at).replaceAll(use, () => word)).slice(0, longestText);
  }
  return whole;
}
